import { declaredMoves, type Moves } from './stateMachine.ts';

/** What a kind of document that needs a second person asks of those who touch it. */
export interface ReviewedDocument {
  /** Rights of the second persons: what is done with one of them is their work, not a contribution. */
  readonly deciders: ReadonlySet<string>;
}

const known = new Map<string, ReviewedDocument | null>();
let machines = 0;

function readDocument(type: string): ReviewedDocument | null {
  const decisions = declaredMoves
    .filter(({ documents }) => documents.includes(type))
    .flatMap(({ moves }) => Object.values(moves).filter(({ otherThan }) => otherThan !== undefined));
  if (decisions.length === 0) return null;
  return { deciders: new Set(decisions.map(({ permission }) => permission).filter((permission) => permission !== 'system')) };
}

/** The documents of a type that need a second person; undefined: nobody decides about them. */
export function reviewedDocument(type: string): ReviewedDocument | undefined {
  // What is declared later may be of a document that was asked for before.
  if (machines !== declaredMoves.length) known.clear();
  machines = declaredMoves.length;
  let found = known.get(type);
  if (found === undefined) known.set(type, (found = readDocument(type)));
  return found ?? undefined;
}

/** Acts that need another person. */
export const decisionsOf = (moves: Moves): ReadonlySet<string> =>
  new Set(Object.keys(moves).filter((action) => moves[action]!.otherThan !== undefined));

export type Verdict = 'STEP' | 'RETURN' | 'PASS';

const waits = (moves: Moves, state: string) =>
  Object.values(moves).some(({ otherThan, from }) => otherThan !== undefined && from.includes(state));

/** What a decision is: STEP hands it on to the next second person, RETURN gives it back to be written anew, PASS ends its round. */
export function verdictOf(moves: Moves, action: string): Verdict {
  const { to, passes } = moves[action]!;
  if (to === undefined || passes) return 'PASS';
  if (waits(moves, to)) return 'STEP';
  // What people can bring back to a decision was given back.
  const seen = new Set([to]);
  for (const state of seen)
    for (const next of Object.values(moves))
      if (next.to && !next.handsOver && next.permission !== 'system' && next.from.includes(state)) seen.add(next.to);
  return [...seen].some((state) => waits(moves, state)) ? 'RETURN' : 'PASS';
}

/** Sends what waits for another person back to be written anew, by whoever may: it ends what was judged, and lets nothing pass. */
export const givesBack = (moves: Moves, action: string): boolean =>
  verdictOf(moves, action) === 'RETURN' && moves[action]!.from.some((state) => waits(moves, state));
