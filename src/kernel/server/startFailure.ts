/** A start that cannot go on for a reason that the person at the console can act on; shown without a stack. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
