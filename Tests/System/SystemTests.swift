import Testing

/// The household as a person has it: real processes, real sockets, real files. One test after the other, as each
/// household wants the processor for itself.
@Suite(.serialized, .music, .timeLimit(.minutes(10))) struct SystemTests {}
