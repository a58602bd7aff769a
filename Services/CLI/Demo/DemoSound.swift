import Glibc

/// The music of the demo library as expressions for ffmpeg's source `aevalsrc`.
enum DemoSound {
  /// Samples a second of the files.
  static let rate = 44_100
  /// Samples a second of what is computed; the rest of the spectrum would stay empty.
  private static let computedRate = 22_050

  /// The filter graph of a suite: each track's eight bars are computed once and repeated, the tracks joined, and the sound
  /// cut into as many outputs `[track0]`, `[track1]` … as there are tracks, so that nothing is heard where they join.
  static func graph(_ tracks: [DemoAlbum.Track], _ instruments: DemoAlbum.Instruments) -> String {
    var graph = ""
    for (index, track) in tracks.enumerated() {
      // Whole samples, so that the repetitions join.
      let loop = Int(8 * track.bar * Double(computedRate))
      graph += "aevalsrc='\(expression(track, instruments))':s=\(computedRate):d=\(8 * track.bar + 0.1),"
      graph += "atrim=end_sample=\(loop),aloop=loop=-1:size=\(loop),aresample=\(rate),"
      graph += "atrim=end_sample=\(track.samples)[part\(index)];"
    }
    let seconds = Double(tracks.reduce(0) { $0 + $1.samples }) / Double(rate)
    graph += tracks.indices.map { "[part\($0)]" }.joined() + "concat=n=\(tracks.count):v=0:a=1,"
    graph +=
      "asplit[left][source];[source]adelay=11,aecho=0.8:0.6:230|410:0.3|0.2[right];[left]aecho=0.8:0.6:190|370:0.3|0.2[echo];"
    graph += "[echo][right]join=inputs=2:channel_layout=stereo,lowpass=f=6000,volume=1.6,"
    graph += "afade=t=in:d=0.05,afade=t=out:st=\(seconds - 2.5):d=2.5,aformat=s16"
    graph += ",asplit=\(tracks.count)" + tracks.indices.map { "[copy\($0)]" }.joined()
    var start = 0
    for (index, track) in tracks.enumerated() {
      graph += ";[copy\(index)]atrim=start_sample=\(start):end_sample=\(start + track.samples),asetpts=N[track\(index)]"
      start += track.samples
    }
    return graph
  }

  /// The sample at the time `t` of a track's eight bars. Register 0 of the expression holds the number of the bar, 1 the
  /// time within it, 2 the frequency of the plucked note, and 3 the time since it was plucked.
  static func expression(_ track: DemoAlbum.Track, _ instruments: DemoAlbum.Instruments) -> String {
    func frequency(_ degree: Int, octave: Int = 0) -> Double {
      let semitone = Double(track.tonic + 12 * (octave + degree / 7) + track.scale[degree % 7] - 69)
      return 440 * pow(2, semitone / 12)
    }
    /// The value of the current bar, as nested choices.
    func byBar(_ value: (_ chord: Int) -> Double) -> String {
      track.chords.indices.reversed().reduce("0") { rest, bar in
        "if(eq(ld(0),\(bar)),\(value(track.chords[bar])),\(rest))"
      }
    }
    let sine = "sin(6.2831853*t*"
    let pad = [0, 2, 4].map { step in "\(sine)\(byBar { frequency($0 + step) }))" }.joined(separator: "+")
    let noteLength = track.bar / Double(instruments.notesPerBar)
    let plucked = instruments.pattern.enumerated().reversed().reduce("0") { rest, note in
      "if(eq(ld(2),\(note.offset)),\(byBar { frequency($0 + note.element, octave: 1) }),\(rest))"
    }
    return """
      st(0,mod(floor(t/\(track.bar)),8));st(1,mod(t,\(track.bar)));\
      st(2,mod(floor(t/\(noteLength)),\(instruments.pattern.count)));st(3,mod(t,\(noteLength)));st(2,\(plucked));\
      \(instruments.pad)*(\(pad))*min(1,ld(1)*\(instruments.attack))*min(1,(\(track.bar)-ld(1))*\(instruments.release))\
      +\(instruments.bass)*\(sine)\(byBar { frequency($0, octave: -2) }))*exp(-ld(1)*\(instruments.bassDecay))*min(1,ld(1)*200)\
      *min(1,(\(track.bar)-ld(1))*100)\
      +\(instruments.pluck)*(\(sine)ld(2))+0.35*\(sine)2*ld(2)))*exp(-ld(3)*\(instruments.pluckDecay))*min(1,ld(3)*300)\
      *min(1,(\(noteLength)-ld(3))*200)
      """
  }
}

/// The covers of the demo library as expressions for ffmpeg's filter `geq`, which computes the colour of each pixel.
enum DemoCover: Sendable, CaseIterable {
  /// A town at night, waves of sand, northern lights, rings on water, leaves behind panes, stars around a pole, trees.
  case skyline, dunes, aurora, ripples, glass, stars, forest

  /// The filter that makes the picture, with so many pixels on each side.
  func filter(side: Int) -> String {
    let (registers, red, green, blue) = expressions
    let channels = zip("rgb", [red, green, blue]).map { "\($0)='\(registers)clip(\($1),0,255)'" }.joined(separator: ":")
    return "color=black:s=\(side)x\(side),format=gbrp,geq=\(channels),noise=alls=7:allf=u"
  }

  /// A number from 0 to 1 that looks random and follows from an expression.
  private func random(_ expression: String) -> String { "mod(abs(sin(\(expression))*43758.5),1)" }

  /// The registers that all three channels compute first, then the channels, from 0 to 255. X, Y, W and H are place and size.
  private var expressions: (registers: String, red: String, green: String, blue: String) {
    switch self {
    case .skyline:
      (
        """
        st(0,floor(X/W*18));st(1,0.42+0.30*\(random("ld(0)*12.9+1")));\
        st(2,\(random("floor(X/W*72)*7.1+floor(Y/H*60)*3.3")));st(3,gt(Y/H,ld(1)));\
        st(4,ld(3)*gt(ld(2),0.86)*between(mod(X/W*72,1),0.3,0.8)*between(mod(Y/H*60,1),0.3,0.8));
        """,
        "if(ld(3),18+ld(4)*230,20+150*Y/H)", "if(ld(3),16+ld(4)*180,16+60*Y/H)", "if(ld(3),34+ld(4)*80,60+70*Y/H)"
      )
    case .dunes:
      (
        """
        st(0,0.50+0.05*sin(X/W*7)+0.03*sin(X/W*3+1));st(1,0.64+0.06*sin(X/W*5+2));st(2,0.80+0.07*sin(X/W*4+4));\
        st(3,hypot(X/W-0.68,Y/H-0.30));st(4,gt(Y/H,ld(0))+gt(Y/H,ld(1))+gt(Y/H,ld(2)));
        """,
        "if(ld(4),236-46*ld(4)+9*sin(Y/H*89+X/W*13),if(lt(ld(3),0.09),255,245-70*Y/H))",
        "if(ld(4),178-48*ld(4),if(lt(ld(3),0.09),236,196-60*Y/H))",
        "if(ld(4),120-36*ld(4),if(lt(ld(3),0.09),190,160+10*Y/H))"
      )
    case .aurora:
      (
        """
        st(0,0.34+0.10*sin(X/W*6)+0.05*sin(X/W*17+1));st(1,exp(-pow((Y/H-ld(0))*7,2))*(0.7+0.3*sin(X/W*90)));\
        st(2,exp(-pow((Y/H-ld(0)-0.16)*5,2)));st(3,gt(Y/H,0.82+0.05*sin(X/W*5+1)));\
        st(4,gt(\(random("floor(X/W*267)*1.7+floor(Y/H*267)*9.1")),0.9985)*lt(Y/H,0.7));
        """,
        "if(ld(3),6,8+40*ld(2)+40*ld(1)+ld(4)*200)", "if(ld(3),10,14+190*ld(1)+20*ld(2)+ld(4)*200)",
        "if(ld(3),18,38+110*ld(1)+90*ld(2)+ld(4)*200)"
      )
    case .ripples:
      (
        """
        st(0,hypot(X/W-0.36,Y/H-0.42));st(1,hypot(X/W-0.72,Y/H-0.66));\
        st(2,sin(ld(0)*110)*exp(-ld(0)*3)+sin(ld(1)*130)*exp(-ld(1)*4));
        """,
        "70+70*ld(2)+50*Y/H", "120+70*ld(2)+20*Y/H", "138+60*ld(2)-10*Y/H"
      )
    case .glass:
      (
        """
        st(2,\(random("floor(X/W*5)*3.1+floor(Y/H*6)*7.7+2")));st(3,lt(mod(X/W*5,1),0.03)+lt(mod(Y/H*6,1),0.035));\
        st(4,0.5+0.5*sin(X/W*22+6*ld(2))*sin(Y/H*17+5*ld(2)));
        """,
        "if(ld(3),30,40+90*ld(4)*ld(2)+30*Y/H)", "if(ld(3),44,90+110*ld(4)*ld(2)+30*ld(4))",
        "if(ld(3),40,70+60*ld(4)*ld(2))"
      )
    case .stars:
      (
        """
        st(0,hypot(X/W-0.62,Y/H-0.36)*170);st(1,atan2(Y/H-0.36,X/W-0.62)/6.2832+0.5);\
        st(2,\(random("floor(ld(0))*5.3")));st(3,mod(ld(1)+ld(2)*3,1));st(5,gt(Y/H,0.9+0.02*sin(X/W*30)));\
        st(4,gt(ld(2),0.45)*lt(ld(3),0.22)*(1-ld(3)*3)*lt(mod(ld(0),1),0.55)*(0.4+0.6*\(random("floor(ld(0))*2.9"))));
        """,
        "if(ld(5),5,12+20*(1-Y/H)+210*ld(4))", "if(ld(5),6,16+18*(1-Y/H)+205*ld(4))",
        "if(ld(5),12,46+30*(1-Y/H)+180*ld(4))"
      )
    case .forest:
      (
        """
        st(0,lt(abs(mod(X/W*7+0.06*sin(Y/H*5),1)-0.5),0.07));st(1,lt(abs(mod(X/W*13+0.3,1)-0.5),0.06));\
        st(2,lt(abs(mod(X/W*23+0.6,1)-0.5),0.06));st(3,if(ld(0),1,if(ld(1),0.62,if(ld(2),0.34,0))));st(4,Y/H*0.5);
        """,
        "222-180*ld(3)*(1-ld(4)*0.5)-40*ld(4)", "170-120*ld(3)*(1-ld(4)*0.5)-40*ld(4)",
        "110-66*ld(3)*(1-ld(4)*0.5)-30*ld(4)"
      )
    }
  }
}
