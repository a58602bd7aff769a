import Model
import Testing

@Suite struct AudioPropertiesTests {
  @Test(arguments: [
    (AudioProperties(codec: "flac", bitRate: 2304, sampleRate: 96_000, bitDepth: 24, channels: 2), "FLAC 24/96"),
    (AudioProperties(codec: "alac", sampleRate: 44_100, bitDepth: 16), "ALAC 16/44.1"),
    (AudioProperties(codec: "mp3", bitRate: 320, sampleRate: 44_100), "MP3 320"),
    (AudioProperties(codec: "vorbis", bitRate: 192), "Vorbis 192"), (AudioProperties(codec: "opus"), "Opus"),
    (AudioProperties(codec: "dsd", bitRate: 5645, sampleRate: 2_822_400, bitDepth: 1), "DSD64"),
    (AudioProperties(codec: "dsd", sampleRate: 11_289_600), "DSD256"), (AudioProperties(codec: "dsd"), "DSD"),
    // A depth alone does not say the quality.
    (AudioProperties(codec: "flac", bitRate: 900, bitDepth: 16), "FLAC 900"),
    (AudioProperties(bitRate: 900, sampleRate: 44_100), nil),
  ])
  func aQualityIsSummarised(_ audio: AudioProperties, _ summary: String?) { #expect(audio.summary == summary) }

  @Test(arguments: [
    (44_100, "44.1"), (48_000, "48"), (22_050, "22.05"), (11_025, "11.025"), (8000, "8"), (176_400, "176.4"),
    (nil, nil),
  ])
  func ratesAreInKilohertz(_ rate: Int?, _ text: String?) {
    #expect(AudioProperties(sampleRate: rate).kilohertz == text)
  }

  @Test(arguments: [
    ("pcm_s16le", "pcm"), ("FLAC", "flac"), ("wmav2", "wma"), ("dsd_lsbf_planar", "dsd"), ("dca", "dts"),
    ("pcm_mulaw", "ulaw"),
    ("mp3float", "mp3"), ("musepack7", "musepack"), ("aac", "aac"), ("eac3", "eac3"),
  ])
  func variantsOfACodecHaveOneName(_ variant: String, _ codec: String) {
    #expect(AudioProperties.codec(ofVariant: variant) == codec)
  }
}
