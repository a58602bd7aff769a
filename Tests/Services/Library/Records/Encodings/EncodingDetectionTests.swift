import Testing

@testable import Records

/// Old tags claim to be Latin-1 whatever they are.
struct EncodingDetectionTests {
  /// Titles and names with the encoding of their bytes, which are shown as Latin-1.
  static let titles: [(title: String, encoding: String, bytes: String)] = [
    ("Группа крови", "cp1251", "Ãðóïïà êðîâè"),
    ("Кино", "cp1251", "Êèíî"),
    ("Спокойная ночь", "cp1251", "Ñïîêîéíàÿ íî÷ü"),
    ("Земфира", "cp1251", "Çåìôèðà"),
    ("Хочешь?", "cp1251", "Õî÷åøü?"),
    ("Вечер", "cp1251", "Âå÷åð"),
    ("Конь", "cp1251", "Êîíü"),
    ("Алла Пугачёва - Миллион алых роз", "cp1251", "Àëëà Ïóãà÷¸âà - Ìèëëèîí àëûõ ðîç"),
    ("Океан Ельзи", "cp1251", "Îêåàí Åëüçè"),
    ("Обійми", "cp1251", "Îá³éìè"),
    ("Я свободен", "cp1251", "ß ñâîáîäåí"),
    ("Полковнику никто не пишет", "cp1251", "Ïîëêîâíèêó íèêòî íå ïèøåò"),
    ("Звезда по имени Солнце (live)", "cp1251", "Çâåçäà ïî èìåíè Ñîëíöå (live)"),
    ("Группа крови", "koi8-r", "çÒÕÐÐÁ ËÒÏ×É"),
    ("Спокойная ночь", "koi8-r", "óÐÏËÏÊÎÁÑ ÎÏÞØ"),
    ("Аквариум", "koi8-r", "áË×ÁÒÉÕÍ"),
    ("Город золотой", "koi8-r", "çÏÒÏÄ ÚÏÌÏÔÏÊ"),
    ("Восьмиклассница", "koi8-r", "÷ÏÓØÍÉËÌÁÓÓÎÉÃÁ"),
    ("Νάνα Μούσχουρη", "cp1253", "ÍÜíá Ìïýó÷ïõñç"),
    ("Τα παιδιά του Πειραιά", "cp1253", "Ôá ðáéäéÜ ôïõ ÐåéñáéÜ"),
    ("Μίκης Θεοδωράκης", "cp1253", "Ìßêçò ÈåïäùñÜêçò"),
    ("Ζορμπάς", "cp1253", "ÆïñìðÜò"),
    ("Ένα καράβι", "cp1253", "¸íá êáñÜâé"),
    ("風の歌を聴け", "shift-jis", "\u{95}\u{97}\u{82}Ì\u{89}Ì\u{82}ð\u{92}®\u{82}¯"),
    ("さくら", "shift-jis", "\u{82}³\u{82}\u{AD}\u{82}ç"),
    (
      "ブルー・ライト・ヨコハマ", "shift-jis",
      "\u{83}u\u{83}\u{8B}\u{81}[\u{81}E\u{83}\u{89}\u{83}C\u{83}g\u{81}E\u{83}\u{88}\u{83}R\u{83}n\u{83}}"
    ),
    ("上を向いて歩こう", "shift-jis", "\u{8F}ã\u{82}ð\u{8C}ü\u{82}¢\u{82}Ä\u{95}à\u{82}±\u{82}¤"),
    ("津軽海峡・冬景色", "shift-jis", "\u{92}Ã\u{8C}y\u{8A}C\u{8B}¬\u{81}E\u{93}~\u{8C}i\u{90}F"),
    ("いとしのエリー", "shift-jis", "\u{82}¢\u{82}Æ\u{82}µ\u{82}Ì\u{83}G\u{83}\u{8A}\u{81}["),
    ("スピッツ", "shift-jis", "\u{83}X\u{83}s\u{83}b\u{83}c"),
    ("ロビンソン", "shift-jis", "\u{83}\u{8D}\u{83}r\u{83}\u{93}\u{83}\\\u{83}\u{93}"),
    ("さくらさくら", "euc-jp", "¤µ¤¯¤é¤µ¤¯¤é"),
    ("ブルー・ライト・ヨコハマ", "euc-jp", "¥Ö¥ë¡¼¡¦¥é¥¤¥È¡¦¥è¥³¥Ï¥Þ"),
    ("上を向いて歩こう", "euc-jp", "¾å¤ò¸þ¤¤¤ÆÊâ¤³¤¦"),
    ("月亮代表我的心", "gbk", "ÔÂÁÁ´ú±íÎÒµÄÐÄ"),
    ("邓丽君", "gbk", "µËÀö¾ý"),
    ("青花瓷", "gbk", "Çà»¨´É"),
    ("周杰伦", "gbk", "ÖÜ½ÜÂ×"),
    ("红豆", "gbk", "ºì¶¹"),
    ("甜蜜蜜", "gbk", "ÌðÃÛÃÛ"),
    ("一无所有", "gbk", "Ò»ÎÞËùÓÐ"),
    ("月亮代表我的心", "big5", "¤ë«G¥Nªí§Úªº¤ß"),
    ("鄧麗君 - 月亮代表我的心", "big5", "¾HÄR§g - ¤ë«G¥Nªí§Úªº¤ß"),
    ("青花瓷", "big5", "«Cªá²¡"),
    ("周杰倫 - 青花瓷", "big5", "©PªN\u{AD}Û - «Cªá²¡"),
    ("海闊天空", "big5", "®üÁï¤ÑªÅ"),
    ("告白氣球", "big5", "§i¥Õ®ð²y"),
    ("아리랑", "euc-kr", "¾Æ¸®¶û"),
    ("사랑했지만", "euc-kr", "»ç¶ûÇßÁö¸¸"),
    ("김광석", "euc-kr", "±è±¤¼®"),
    ("서태지와 아이들", "euc-kr", "¼\u{AD}ÅÂÁö¿Í ¾ÆÀÌµé"),
    ("봄날", "euc-kr", "º½³¯"),
    ("방탄소년단", "euc-kr", "¹æÅº¼Ò³â´Ü"),
    ("좋은 날", "euc-kr", "ÁÁÀº ³¯"),
    ("아이유 (IU)", "euc-kr", "¾ÆÀÌÀ¯ (IU)"),
  ]

  @Test(arguments: titles) func wholeWordsBeyondASCIITellTheEncoding(
    _ title: String, _ encoding: String, _ bytes: String
  ) {
    let found = EncodingDetection.likelyEncoding(of: [bytes])
    #expect(found == encoding, "\(title)")
  }

  @Test(arguments: [
    "Où ça", "Café Zoë", "Très vieux", "Für Elise", "Über sieben Brücken mußt du gehn", "Die Ärzte", "Größenwahn",
    "Motörhead", "Queensrÿche", "Mötley Crüe", "Herbert Grönemeyer", "Åsa", "Så länge skutan kan gå",
    "Öppna landskap", "Där näckrosen blommar", "Sigur Rós - Ágætis byrjun", "Björk", "Hoppípolla", "Ænima",
    "Édith Piaf - Non, je ne regrette rien", "L\u{92}été indien", "Déshabillez-moi", "À tout à l'heure, garçon",
    "Água de Beber", "João Gilberto", "Coração Vagabundo", "NÃO É CORAÇÃO, SÃO AÇÕES", "Construção",
    "Antônio Carlos Jobim", "Mañana", "¿Quién será?", "Corazón partío", "Naïve", "Créée à l'été", "Yö", "Hääyö",
    "Työväen häät", "ÄÖÜ", "Øde ø", "Blå øyne på øya", "¡Ay, Dios mío!", "Perché è così", "Ça ira",
    "Grüße aus Österreich \u{96} Größe", "Señorita Ñoña", "Þú ert", "°C", "\u{8C}uvres", "\u{93}Heroes\u{94}",
    "Façade", "À l\u{92}ombre", "ÉTÉ", "ÅÄÖ", "Fête à C\u{9C}ur Ouvert",
  ])
  func titlesInLatin1AreLeftAlone(_ title: String) {
    #expect(EncodingDetection.likelyEncoding(of: [title]) == nil)
    #expect(EncodingDetection.likelyEncoding(of: [title, "\(title) \(title)"]) == nil)
  }

  @Test func valuesOfOtherEncodingsAndShortOnesTellNothing() {
    #expect(EncodingDetection.likelyEncoding(of: ["Группа крови", "さくら", "Plain", ""]) == nil)
    #expect(EncodingDetection.likelyEncoding(of: ["Êèí"]) == nil)
    // The values of a file are looked at together.
    #expect(EncodingDetection.likelyEncoding(of: ["Âåñíà", "Êèíî", "Rock"]) == "cp1251")
  }
}
