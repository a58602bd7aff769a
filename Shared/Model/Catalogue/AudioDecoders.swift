/// The decoders of libavcodec that Lunara uses: those of the codecs that people keep in the containers of
/// `AudioContainer`. All others, which have had the most faults, are never opened.
public enum AudioDecoders {
  /// The names of the decoders of audio.
  public static let names =
    lossless + lossy + pcm
    + [
      "adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "dsd_lsbf", "dsd_lsbf_planar", "dsd_msbf", "dsd_msbf_planar", "dst",
    ]

  /// The names of the decoders that libavformat may use to find out what a file holds. Those of covers are among them,
  /// as it would otherwise read megabytes to learn the size of a cover.
  public static let probed = names + ["mjpeg", "png"]

  private static let lossless = [
    "flac", "alac", "ape", "tak", "tta", "wavpack", "wmalossless", "als", "mlp", "truehd", "shorten",
  ]
  private static let lossy = [
    "mp1", "mp1float", "mp2", "mp2float", "mp3", "mp3float", "aac", "aac_fixed", "aac_latm", "libfdk_aac", "vorbis",
    "libvorbis", "opus", "libopus", "speex", "libspeex", "mpc7", "mpc8", "wmav1", "wmav2", "wmapro", "wmavoice", "ac3",
    "eac3", "dca",
  ]
  private static let pcm =
    ["pcm_s8", "pcm_u8", "pcm_alaw", "pcm_mulaw", "pcm_s8_planar"]
    + ["s16", "s24", "s32", "s64", "u16", "u24", "u32", "f32", "f64"].flatMap { ["pcm_\($0)le", "pcm_\($0)be"] }
    + ["pcm_s16le_planar", "pcm_s16be_planar", "pcm_s24le_planar", "pcm_s32le_planar", "pcm_f16le", "pcm_f24le"]
}
