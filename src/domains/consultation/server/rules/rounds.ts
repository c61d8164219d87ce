/** One or more patient messages closed by a doctor's message are a round; what an assistant says closes nothing. */
export interface Rounds {
  used: number;
  /** The patient has spoken since the last closed round. */
  open: boolean;
}
export type Speaker = 'PATIENT' | 'DOCTOR' | 'ASSISTANT';

export function speak(rounds: Rounds, speaker: Speaker): Rounds {
  if (speaker === 'PATIENT') return { used: rounds.used, open: true };
  if (speaker === 'DOCTOR' && rounds.open) return { used: rounds.used + 1, open: false };
  return rounds;
}

/** @param limit 0 = no limit. */
export const roundsUsedUp = (used: number, limit: number): boolean => limit > 0 && used >= limit;
