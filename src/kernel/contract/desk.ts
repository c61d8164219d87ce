import type { Call } from './call.ts';
import type { ErrorDeclaration } from './errors.ts';
import type { StateMachine } from './stateMachine.ts';

/** The calls of a desk; each names the case by the desk's key and answers what its output names of a `DeskAnswer`. */
interface DeskCalls {
  /** Takes a case; by who has it already it is prolonged. Where the case may be left out, the next one is taken. */
  claim: Call;
  /** Takes the first case in the desk's order that nobody has. */
  claimNext?: Call;
  /** Prolongs, once a minute while the page shows the case. */
  heartbeat?: Call;
  /** Puts it back, also when the time is over and nobody else took it. */
  release?: Call;
  /** Takes it from whoever has it, with an `opinion`; by the machine's move `takeover`. */
  takeover?: Call;
  /** Says by `assigneeId` who is to do it, with the `version` that was seen; by the machine's move `assign`. */
  assign?: Call;
}

/** What calls of a desk may answer: the case as it is now, and until when (ISO instant) it is kept under which token. */
export interface DeskAnswer {
  id: string;
  state: string;
  version: number;
  allowedActions: readonly string[];
  leaseUntil: string | null;
  leaseToken: string | null;
}

export interface DeskFacts {
  machine: { readonly name: string };
  /** What the cases are called where somebody leaves them undone: `审核中的医院申请`. */
  work: string;
  /** Key by which the calls name a case: `applyId`. */
  key: string;
  calls: DeskCalls;
  /** States in which a case may be taken, and is kept for who took it. */
  pool: readonly string[];
  /**
   * States in which a second person takes a case, under the same lease, and its state stays: `claim` and `claimNext` ask for them by
   * `queue`, and `own` tells who judged it before.
   */
  second?: { queue: string; pool: readonly string[]; own: ErrorDeclaration };
  /** For how long a case is kept, from its last heartbeat; null: it is whose it is until he has done it. */
  minutes: number | null;
  /** Cases that one person may have at a time. */
  most?: number;
  refusals: {
    /** Names by `{user}` who has it. */
    held: ErrorDeclaration;
    /** Nothing waits. Absent where nobody asks for the next one. */
    none?: ErrorDeclaration;
    /** The case is not, or no longer, the caller's. Absent where it is kept without end. */
    lost?: ErrorDeclaration;
    /** Who made or changed a case works on it neither. Absent: nobody decides here about what others wrote. */
    own?: ErrorDeclaration;
    /** Names by `{n}` how many he has. */
    full?: ErrorDeclaration;
  };
  /** Every list that shows the cases, with its column that names who has one. */
  lists: readonly { list: Call; holder: string }[];
}

/**
 * A work desk: cases in states of a machine, whose name is their type in the audit trail, that people take one at a time. Moves of the
 * machine called `claim`, `release`, `takeover` and `assign` are taken with the acts of these names.
 */
export interface Desk<S extends string, A extends string> extends DeskFacts {
  machine: StateMachine<S, A>;
  pool: readonly NoInfer<S>[];
  second?: { queue: string; pool: readonly NoInfer<S>[]; own: ErrorDeclaration };
}

const declared: DeskFacts[] = [];
/** All desks, for the tests that are generated from them. */
export const declaredDesks: readonly DeskFacts[] = declared;

export function declareDesk<S extends string, A extends string>(desk: Desk<S, A>): Desk<S, A> {
  declared.push(desk);
  return desk;
}
