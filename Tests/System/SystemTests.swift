import Testing

/// The household as a person uses it: real processes, real sockets, real files. The tests run one after the other, as
/// each household needs the processor.
@Suite(.serialized, .music, .timeLimit(.minutes(10))) struct SystemTests {}
