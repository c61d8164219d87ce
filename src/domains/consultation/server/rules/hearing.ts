import type { Instant } from '#kernel/contract/time.ts';
import { addDutySeconds, FIRST_RESPONSE_SEC, NEXT_RESPONSE_SEC, type DutyHours } from './dutyTime.ts';
import { speak, type Rounds } from './rounds.ts';

/** What is said, as far as waiting and rounds are concerned; engines and the system answer nobody. */
export interface HeardMessage {
  role: 'PATIENT' | 'DOCTOR' | 'ASSISTANT';
  at: Instant;
}

/** Who waits in a group. */
export interface Waiting {
  waitingSince: Instant | null;
  slaDueAt: Instant | null;
  unanswered: number;
}

/** What the messages of an inquiry's range have counted so far. */
export interface Counted extends Rounds {
  doctorReplies: number;
  firstDoctorReplyAt: Instant | null;
  firstAssistantReplyAt: Instant | null;
}

/** @param answered somebody has answered in this stay of the group: later answers have more time. */
export function wait(waiting: Waiting, message: HeardMessage, hours: DutyHours, answered: boolean): Waiting {
  if (message.role !== 'PATIENT') return { waitingSince: null, slaDueAt: null, unanswered: 0 };
  return {
    waitingSince: waiting.waitingSince ?? message.at,
    slaDueAt:
      waiting.waitingSince !== null && waiting.slaDueAt !== null
        ? waiting.slaDueAt
        : addDutySeconds(message.at, answered ? NEXT_RESPONSE_SEC : FIRST_RESPONSE_SEC, hours),
    unanswered: waiting.unanswered + 1,
  };
}

export function count(counted: Counted, message: HeardMessage): Counted {
  const rounds = speak({ used: counted.used, open: counted.open }, message.role);
  if (message.role === 'DOCTOR')
    return {
      ...counted,
      ...rounds,
      doctorReplies: counted.doctorReplies + 1,
      firstDoctorReplyAt: counted.firstDoctorReplyAt ?? message.at,
    };
  if (message.role === 'ASSISTANT') return { ...counted, ...rounds, firstAssistantReplyAt: counted.firstAssistantReplyAt ?? message.at };
  return { ...counted, ...rounds };
}
