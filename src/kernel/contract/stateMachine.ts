import type { Tone } from './dictionary.ts';
import { dictionary } from './dictionary.ts';
import type { ErrorDeclaration } from './errors.ts';
import { field } from './field.ts';

export interface StateDeclaration {
  label: string;
  /** Absent: `default`. */
  tone?: Tone;
  /** As of a dictionary's entry. */
  job?: true;
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

export type Moves = Readonly<Record<string, TransitionDeclaration<string>>>;
const declared: { documents: readonly string[]; moves: Moves }[] = [];
/** The moves of all machines by their documents, for `review.ts`. */
export const declaredMoves: readonly { documents: readonly string[]; moves: Moves }[] = declared;

export interface StateMachine<State extends string = string, Action extends string = string> {
  readonly name: string;
  readonly states: Readonly<Record<State, StateDeclaration>>;
  readonly transitions: Readonly<Record<Action, TransitionDeclaration<State>>>;
  /** The states as a dictionary, for tags, filters and exports. */
  readonly dictionary: ReturnType<typeof dictionary<Record<State, StateDeclaration>>>;
  /** Actions that somebody with these permissions may take in this state: exactly the buttons of the page. */
  allowed(state: State, may: (permission: string) => boolean): Action[];
  canStart(action: Action, state: State): boolean;
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
  declared.push({ documents, moves: table });
  return {
    name,
    states,
    transitions: transitions as Readonly<Record<Action, TransitionDeclaration<State>>>,
    dictionary: { ...words, schema: field('状态', words.schema) },
    canStart,
    allowed: (state: State, may: (permission: string) => boolean) =>
      (Object.keys(transitions) as Action[]).filter((action) => {
        const { permission } = table[action]!;
        return permission !== 'system' && canStart(action, state) && (permission === 'session' || may(permission));
      }),
  };
}
