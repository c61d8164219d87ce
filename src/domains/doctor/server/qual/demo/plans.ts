import type { QualApplyType } from '../../../contract/dictionaries.ts';
import type { QualApplyState } from '../../../contract/states.ts';
import { demoDoctors, EXPIRED_FROM, NAMED, type DemoDoctor } from '../../demo/people.ts';

/** What is wrong with an application of the demonstration, as the checks will find it. */
type Flaw = 'NAME' | 'NUMBER' | 'HOSPITAL' | 'EXPIRED' | null;
export interface Plan {
  doctor: DemoDoctor;
  applyType: QualApplyType;
  state: QualApplyState;
  round: number;
  /** Hours since it was handed in. */
  hoursAgo: number;
  flaw: Flaw;
  recheckReason?: 'LEVEL' | 'OVERRIDE';
  /** To a hospital whose own application is not decided. */
  moves?: boolean;
}

const FLAWS: readonly Flaw[] = [null, null, 'NAME', null, 'HOSPITAL', null, null, 'NUMBER'];
const IN_AUDIT: readonly QualApplyState[] = ['PENDING', 'PENDING', 'REVIEWING', 'RECHECK', 'PENDING'];

/** First applications of all that are in audit, returned or refused; each kind of change; the stories of 李文博, 王海燕 and 陈立. */
export const plans: readonly Plan[] = [
  { doctor: demoDoctors[0]!, applyType: 'FIRST', state: 'APPROVED', round: 2, hoursAgo: 24 * 40, flaw: null, recheckReason: 'LEVEL' },
  ...demoDoctors.flatMap((doctor, index): Plan[] => {
    const n = demoDoctors.slice(0, index).filter(({ qualState }) => qualState === doctor.qualState).length;
    const first = { doctor, applyType: 'FIRST' as const, round: 1 };
    if (doctor.qualState === 'PENDING') {
      const state = IN_AUDIT[n % IN_AUDIT.length]!;
      const flaw = state === 'RECHECK' ? null : FLAWS[n % FLAWS.length]!;
      return [{ ...first, state, flaw, hoursAgo: 1 + n * 2, ...(state === 'RECHECK' ? { recheckReason: 'LEVEL' as const } : {}) }];
    }
    if (doctor.qualState === 'RETURNED')
      return [{ ...first, state: 'RETURNED', flaw: n % 2 === 0 ? 'EXPIRED' : 'NAME', hoursAgo: 30 + n * 20 }];
    if (doctor.qualState === 'REJECTED')
      return [{ ...first, state: 'REJECTED', flaw: n % 2 === 0 ? 'NUMBER' : 'HOSPITAL', hoursAgo: 60 + n * 30 }];
    if (doctor.qualState === 'NONE' && n < 3) return [{ ...first, state: 'WITHDRAWN', flaw: null, hoursAgo: 24 * (30 + n) }];
    return [];
  }),
  { doctor: demoDoctors[EXPIRED_FROM]!, applyType: 'RENEW', state: 'PENDING', round: 1, hoursAgo: 3, flaw: null },
  { doctor: demoDoctors[4]!, applyType: 'TITLE', state: 'PENDING', round: 1, hoursAgo: 5, flaw: null },
  { doctor: demoDoctors[9]!, applyType: 'UPDATE', state: 'PENDING', round: 1, hoursAgo: 2, flaw: null },
  // 陈立 moves to a hospital that is in audit itself; nothing else is wrong with him, and he goes on seeing patients where he is.
  { doctor: demoDoctors[NAMED.chen]!, applyType: 'UPDATE', state: 'PENDING', round: 1, hoursAgo: 2, flaw: null, moves: true },
  { doctor: demoDoctors[14]!, applyType: 'RENEW', state: 'REVIEWING', round: 1, hoursAgo: 6, flaw: null },
  { doctor: demoDoctors[19]!, applyType: 'UPDATE', state: 'RECHECK', round: 1, hoursAgo: 8, flaw: 'NAME', recheckReason: 'OVERRIDE' },
];
