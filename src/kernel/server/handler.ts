import type { AnswerOf, Call, CheckedInputOf } from '../contract/call.ts';
import type { CommandContext, ProcedureContext, QueryContext } from './context.ts';
import type { FileAnswer } from './fileAnswer.ts';

/** A success whose message differs from the call's own. */
export class AnswerWithMessage<T> {
  readonly data: T;
  readonly message: string;
  constructor(data: T, message: string) {
    this.data = data;
    this.message = message;
  }
}

type ResultOf<C> = C extends { shape: 'file' } ? AnswerOf<C> | FileAnswer : AnswerOf<C> | AnswerWithMessage<AnswerOf<C>>;

export type Handler =
  | {
      mode: 'query';
      call: Call;
      /** Of a declared list: why it may be sorted without an index; null: each of its orders has one. */
      bounded?: string | null;
      /** Of a declared list: filters that find nothing by a part of what they look for. */
      exact?: readonly string[];
      /** Of a declared list: states that stand last in its own order. */
      last?: readonly string[];
      run(input: unknown, ctx: QueryContext): Promise<unknown>;
    }
  | { mode: 'command'; call: Call; run(input: unknown, ctx: CommandContext): Promise<unknown> }
  | { mode: 'procedure'; call: Call; run(input: unknown, ctx: ProcedureContext): Promise<unknown> };

const requireKind = (call: Call, kind: Call['kind']) => {
  if (call.kind !== kind) throw new Error(`${call.name} is declared as ${call.kind} and implemented as ${kind}`);
};

/** Implements a reading call; a list sends at most three statements. */
export function query<C extends Call>(call: C, run: (input: CheckedInputOf<C>, ctx: QueryContext) => Promise<ResultOf<C>>): Handler {
  requireKind(call, 'query');
  return { mode: 'query', call, run: (input, ctx) => run(input as CheckedInputOf<C>, ctx) };
}

/** Implements a writing call: one transaction, with log, outbox, jobs and idempotency record in it. */
export function command<C extends Call>(call: C, run: (input: CheckedInputOf<C>, ctx: CommandContext) => Promise<ResultOf<C>>): Handler {
  requireKind(call, 'command');
  return { mode: 'command', call, run: (input, ctx) => run(input as CheckedInputOf<C>, ctx) };
}

/** Implements a writing call that opens several transactions itself; logged when it ends. */
export function procedure<C extends Call>(
  call: C,
  run: (input: CheckedInputOf<C>, ctx: ProcedureContext) => Promise<ResultOf<C>>,
): Handler {
  requireKind(call, 'command');
  return { mode: 'procedure', call, run: (input, ctx) => run(input as CheckedInputOf<C>, ctx) };
}
