import Testing

@testable import lunara

/// Tables are aligned on a terminal and separated by tabs elsewhere.
struct TableTests {
  private var table: Table {
    var table = Table()
    table.add(.strong("Night Lines"), .number(5), Table.Cell("electronic"))
    table.add(.strong("雨"), .number(12), Table.Cell(""))
    return table
  }

  @Test func elsewhereThanOnATerminalCellsAreSeparatedByTabs() {
    #expect(table.text(for: Printed().console()) == "Night Lines\t5\telectronic\n雨\t12\t\n")
  }

  @Test func onATerminalColumnsAreAlignedWithWideCharactersCounted() {
    #expect(
      table.text(for: Printed().console(width: 80)) == "Night Lines   5  electronic\n雨           12\n")
  }

  @Test func onANarrowTerminalTheWidestColumnGivesWay() {
    var table = Table()
    table.add(Table.Cell("A very long title that does not fit"), Table.Cell("short"))
    let text = table.text(for: Printed().console(width: 24))
    #expect(text == "A very long titl…  short\n")
  }

  @Test func coloursAreWrittenOnlyWhereTheyAreWanted() {
    let coloured = table.text(for: Printed().console(width: 80, style: Style(isColoured: true)))
    #expect(coloured.hasPrefix("\u{1B}[1mNight Lines\u{1B}[0m   5  electronic\n"))
    #expect(!table.text(for: Printed().console(width: 80)).contains("\u{1B}"))
  }
}
