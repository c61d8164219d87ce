import type { Tone } from './dictionary.ts';
import { dictionary } from './dictionary.ts';
import type { ErrorDeclaration } from './errors.ts';
import { field } from './field.ts';

export interface StateDeclaration {
  label: string;
  tone: Tone;
}

export interface TransitionDeclaration<State extends string> {
  /** Text of the button and of the row in the audit trail. */
  label: string;
  from: readonly State[];
  /** Absent: the state stays as it is. */
  to?: State;
  /** Permission code; `system` transitions are never offered to a person. */
  permission: string | 'system' | 'session';
  /** Whether the operator must, may or cannot give an opinion. */
  opinion: 'required' | 'optional' | 'none';
  danger?: boolean;
  /**
   * Another person's act: whoever wrote, changed or submitted the document since it last passed, decided about it in this round,
   * or wrote it first, is refused with this (`audit/fourEyes.ts`).
   */
  otherThan?: ErrorDeclaration;
  /** A decision after which the same one is asked for again, of what is written then: it ends its round. */
  passes?: true;
  /** Moves the work or stops it and leaves the content as it is: no contribution. */
  handsOver?: true;
}

/** What a kind of document that needs a second person asks of those who touch it. */
export interface ReviewedDocument {
  /** Rights of the second persons: what is done with one of them is their work, not a contribution. */
  readonly deciders: ReadonlySet<string>;
}

const reviewed = new Map<string, ReviewedDocument>();

/** The documents of a type that need a second person; undefined: nobody decides about them. */
export const reviewedDocument = (type: string): ReviewedDocument | undefined => reviewed.get(type);

export type Verdict = 'STEP' | 'RETURN' | 'PASS';

export interface StateMachine<State extends string = string, Action extends string = string> {
  readonly name: string;
  readonly states: Readonly<Record<State, StateDeclaration>>;
  readonly transitions: Readonly<Record<Action, TransitionDeclaration<State>>>;
  /** The states as a dictionary, for tags, filters and exports. */
  readonly dictionary: ReturnType<typeof dictionary<Record<State, StateDeclaration>>>;
  /** Actions that somebody with these permissions may take in this state: exactly the buttons of the page. */
  allowed(state: State, may: (permission: string) => boolean): Action[];
  canStart(action: Action, state: State): boolean;
  /** Acts that need another person. */
  readonly decisions: ReadonlySet<string>;
  /** What a decision is: STEP hands it on to the next second person, RETURN gives it back to be written anew, PASS ends its round. */
  verdictOf(action: Action): Verdict;
  /** Sends what waits for another person back to be written anew, by whoever may: it ends what was judged, and lets nothing pass. */
  givesBack(action: Action): boolean;
}

/**
 * Declares the states of an audited thing and the moves between them; server and page use the same declaration.
 * @param documents types of the records that take these moves; absent: the machine's own name
 */
export function stateMachine<
  const S extends Record<string, StateDeclaration>,
  const T extends Record<string, TransitionDeclaration<Extract<keyof S, string>>>,
>(name: string, states: S, transitions: T, documents: readonly string[] = [name]) {
  type State = Extract<keyof S, string>;
  type Action = Extract<keyof T, string>;
  const table: Record<string, TransitionDeclaration<State>> = transitions;
  const words = dictionary(name, states);
  const canStart = (action: Action, state: State) => table[action]!.from.includes(state);
  const decisions = Object.values(table).filter(({ otherThan }) => otherThan !== undefined);
  const waits = (state: State) => decisions.some(({ from }) => from.includes(state));
  const verdictOf = (action: Action): Verdict => {
    const { to, passes } = table[action]!;
    if (to === undefined || passes) return 'PASS';
    if (waits(to)) return 'STEP';
    // What people can bring back to a decision was given back.
    const seen = new Set<State>([to]);
    for (const state of seen)
      for (const next of Object.values(table))
        if (next.to && !next.handsOver && next.permission !== 'system' && next.from.includes(state)) seen.add(next.to);
    return [...seen].some(waits) ? 'RETURN' : 'PASS';
  };
  if (decisions.length > 0) {
    for (const document of documents) {
      const deciders = decisions.map(({ permission }) => permission).filter((permission) => permission !== 'system');
      reviewed.set(document, { deciders: new Set([...(reviewed.get(document)?.deciders ?? []), ...deciders]) });
    }
  }
  return {
    name,
    states,
    transitions: transitions as Readonly<Record<Action, TransitionDeclaration<State>>>,
    dictionary: { ...words, schema: field('状态', words.schema) },
    canStart,
    decisions: new Set(Object.keys(table).filter((action) => table[action]!.otherThan !== undefined)),
    verdictOf,
    givesBack: (action: Action) => verdictOf(action) === 'RETURN' && table[action]!.from.some(waits),
    allowed: (state: State, may: (permission: string) => boolean) =>
      (Object.keys(transitions) as Action[]).filter((action) => {
        const { permission } = table[action]!;
        return permission !== 'system' && canStart(action, state) && (permission === 'session' || may(permission));
      }),
  };
}
