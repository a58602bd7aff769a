import CAVFormat
import Model

extension AudioFile {
  /// The length and the properties of the audio.
  struct Measurement {
    /// The length in milliseconds; 0 if it cannot be known.
    var duration: Int64
    var properties: AudioProperties
    var isLossless: Bool
  }

  /// The most packets that are read to find one of audio.
  private static let mostOtherPackets = 1000

  private var isModule: Bool { format == "libopenmpt" }
  private var format: String { context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "" }

  /// Measures the audio. Where the header does not say how long it is, all of it is read.
  func measured() throws(Failure) -> Measurement {
    guard let first = try nextPacket() else { throw .broken }
    var duration = statedDuration ?? 0
    var bytes = size
    if duration == 0 {
      let sound = try measureSound(after: first)
      duration = sound.duration
      bytes = sound.bytes
    }
    if isModule {
      // A module has notes and samples: rate and channels are those with which it is played.
      return Measurement(duration: duration, properties: AudioProperties(codec: "mod"), isLossless: false)
    }
    let codec = codecName
    let isLossless = codec.isLossless
    // Players get eight samples of DSD as one byte.
    let factor: Int32 = codec.name == "dsd" ? 8 : 1
    let stated = parameters.pointee.bit_rate
    let bitRate =
      stated > 0 ? (stated + 500) / 1000 : duration > 0 ? bytes.multipliedReportingOverflow(by: 8).0 / duration : 0
    func known(_ number: some BinaryInteger) -> Int? { number > 0 ? Int(number) : nil }
    return Measurement(
      duration: duration,
      properties: AudioProperties(
        codec: codec.name, bitRate: known(bitRate), sampleRate: known(parameters.pointee.sample_rate * factor),
        bitDepth: isLossless ? known(depth(of: codec.name)) : nil,
        channels: known(parameters.pointee.ch_layout.nb_channels)),
      isLossless: isLossless)
  }

  /// The length in milliseconds that the header states; nil for none, or for one that was estimated from a bit rate. A
  /// length of more samples than the file holds counts as none in AIFF: programs that write into a pipe put it there.
  private var statedDuration: Int64? {
    guard context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE else { return nil }
    if stream.pointee.duration != lunara_av_no_time, stream.pointee.duration > 0 {
      let duration = milliseconds(stream.pointee.duration)
      guard format == "aiff" else { return duration }
      let bytes = (duration / 1000).multipliedReportingOverflow(by: soundRate / 8)
      return bytes.overflow || bytes.partialValue > size ? nil : duration
    }
    let whole = context.pointee.duration
    return whole != lunara_av_no_time && whole > 0 ? whole / 1000 : nil
  }

  /// The bits a second where each sample has as many; 0 for other formats.
  private var soundRate: Int64 {
    let bits = Int64(av_get_bits_per_sample(parameters.pointee.codec_id))
    return Int64(parameters.pointee.sample_rate) * bits * Int64(parameters.pointee.ch_layout.nb_channels)
  }

  private func milliseconds(_ time: Int64) -> Int64 {
    max(0, av_rescale_q(time, stream.pointee.time_base, AVRational(num: 1, den: 1000)))
  }

  /// The codec's name, and whether it is lossless.
  private var codecName: (name: String, isLossless: Bool) {
    let id = parameters.pointee.codec_id
    let name = String(cString: avcodec_get_name(id))
    let descriptor = avcodec_descriptor_get(id)
    let properties = descriptor?.pointee.props ?? 0
    let isExact = properties & AV_CODEC_PROP_LOSSLESS != 0 && properties & AV_CODEC_PROP_LOSSY == 0
    switch name {
    case "dst": return ("dsd", true)
    case "dts": return ("dts", parameters.pointee.profile == FF_PROFILE_DTS_HD_MA)
    case "mp4als": return ("als", true)
    case "shorten": return ("shorten", true)
    case "wmalossless": return ("wma", true)
    case "musepack7", "musepack8": return ("musepack", false)
    default:
      let family = AudioProperties.codec(ofVariant: name)
      return (family, family == "dsd" || family != "alaw" && family != "ulaw" && isExact)
    }
  }

  private func depth(of codec: String) -> Int32 {
    if codec == "dsd" { return 1 }
    let raw = parameters.pointee.bits_per_raw_sample
    if raw > 0 { return raw }
    let exact = av_get_exact_bits_per_sample(parameters.pointee.codec_id)
    return exact > 0 ? exact : parameters.pointee.bits_per_coded_sample
  }
}

/// Packets of audio.
extension AudioFile {
  private struct Packet {
    var bytes: Int64
    /// The length in units of the stream's time base; 0 if unknown.
    var duration: Int64
    /// The time of its end, in the same units; nil if unknown.
    var end: Int64?
  }

  private struct Sound {
    /// The length in milliseconds.
    var duration: Int64
    var bytes: Int64
  }

  /// Reads the next packet of audio; nil at the end.
  private func nextPacket(_ body: (UnsafeMutablePointer<AVPacket>) -> Void = { _ in }) throws(Failure) -> Packet? {
    var packet = av_packet_alloc()
    guard let read = packet else { throw .outOfMemory }
    defer { av_packet_free(&packet) }
    for _ in 0..<Self.mostOtherPackets {
      let result = av_read_frame(context, read)
      guard result >= 0 else {
        // A damaged file ends where it is damaged, as when it is played.
        do { try check(result) } catch .broken { return nil }
        return nil
      }
      defer { av_packet_unref(read) }
      guard read.pointee.stream_index == stream.pointee.index, read.pointee.size > 0 else { continue }
      body(read)
      let time = read.pointee.pts != lunara_av_no_time ? read.pointee.pts : read.pointee.dts
      return Packet(
        bytes: Int64(read.pointee.size), duration: max(0, read.pointee.duration),
        end: time == lunara_av_no_time ? nil : time.addingReportingOverflow(max(0, read.pointee.duration)).0)
    }
    return nil
  }

  /// Measures the whole sound by its packets: by their lengths, by the time of the last one, by its bytes where each
  /// sample has as many, or by decoding it.
  private func measureSound(after first: Packet) throws(Failure) -> Sound {
    var (duration, bytes, end) = (first.duration, first.bytes, first.end)
    guard parameters.pointee.codec_id != AV_CODEC_ID_SHORTEN else { return try decoded() }
    while let packet = try nextPacket() {
      duration = duration.addingReportingOverflow(packet.duration).0
      bytes += packet.bytes
      end = packet.end ?? end
    }
    if duration > 0 { return Sound(duration: milliseconds(duration), bytes: bytes) }
    let rate = soundRate
    if rate > 0 { return Sound(duration: bytes.multipliedReportingOverflow(by: 8000).0 / rate, bytes: bytes) }
    let start = stream.pointee.start_time
    return Sound(duration: end.map { milliseconds($0 - (start == lunara_av_no_time ? 0 : start)) } ?? 0, bytes: bytes)
  }

  /// Decodes the sound from the start, and counts its samples.
  private func decoded() throws(Failure) -> Sound {
    try check(av_seek_frame(context, stream.pointee.index, 0, AVSEEK_FLAG_BYTE))
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else { throw .broken }
    var (codec, frame) = (avcodec_alloc_context3(decoder), av_frame_alloc())
    defer {
      avcodec_free_context(&codec)
      av_frame_free(&frame)
    }
    guard let codec, let frame else { throw .outOfMemory }
    try check(avcodec_parameters_to_context(codec, parameters))
    try check(avcodec_open2(codec, decoder, nil))
    var (samples, bytes) = (Int64(0), Int64(0))
    func receive() {
      while avcodec_receive_frame(codec, frame) >= 0 { samples += Int64(frame.pointee.nb_samples) }
    }
    func decode(_ packet: UnsafeMutablePointer<AVPacket>?) {
      // A packet that cannot be decoded is silent.
      if avcodec_send_packet(codec, packet) == lunara_av_try_again {
        receive()
        avcodec_send_packet(codec, packet)
      }
      receive()
    }
    while let packet = try nextPacket({ decode($0) }) { bytes += packet.bytes }
    decode(nil)
    let rate = Int64(codec.pointee.sample_rate)
    return Sound(duration: rate > 0 ? samples * 1000 / rate : 0, bytes: bytes)
  }
}
