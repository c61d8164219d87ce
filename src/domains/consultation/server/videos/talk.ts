import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';

/** Somebody's time in a room, in milliseconds. */
export interface Stay {
  imUserId: string;
  from: number;
  to: number;
}
export interface Talk {
  /** Seconds with at least two people present. */
  talkSec: number;
  /** Seconds with the patient and a doctor present. */
  doctorPatientSec: number;
}

/** How long people really spoke: a sweep over who came and went. One person on two devices, or who came back, counts once. */
export function talkOf(stays: readonly Stay[]): Talk {
  const edges = stays
    .filter(({ from, to }) => to > from)
    .flatMap(({ imUserId, from, to }) => [
      { at: from, imUserId, step: 1 },
      { at: to, imUserId, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at);
  const present = new Map<string, number>();
  let [talk, both, last] = [0, 0, edges[0]?.at ?? 0];
  for (const { at, imUserId, step } of edges) {
    const people = [...present.keys()];
    if (people.length >= 2) talk += at - last;
    if (people.some((id) => id.startsWith('P')) && people.some((id) => id.startsWith('D'))) both += at - last;
    last = at;
    const there = (present.get(imUserId) ?? 0) + step;
    if (there > 0) present.set(imUserId, there);
    else present.delete(imUserId);
  }
  return { talkSec: Math.floor(talk / 1_000), doctorPatientSec: Math.floor(both / 1_000) };
}

/** Seconds of video that an inquiry still has; null without a limit, never below 0. */
export const videoLeft = (limit: number, used: number): number | null => (limit === 0 ? null : Math.max(0, limit - used));

const MINUTE = 60;
/** `05:00`, `1:02:03`. */
export function showLength(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / (MINUTE * MINUTE)), Math.floor(seconds / MINUTE) % MINUTE, seconds % MINUTE];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
}

/** How a call ends: spoken and hung up, not taken, refused, given up by its caller, broken. */
export type RoomEnd = 'end' | 'miss' | 'reject' | 'cancel' | 'fail';

/** Who was in a room and when; who is still in it, until now. */
export async function staysOf(db: Db | Tx, roomId: string, now: string): Promise<Stay[]> {
  const rows = await own(db)
    .selectFrom('consultationVideoParticipant')
    .select(['imUserId', 'joinedAt', 'leftAt'])
    .where('roomId', '=', roomId)
    .execute();
  return rows.map(({ imUserId, joinedAt, leftAt }) => ({ imUserId, from: Date.parse(joinedAt), to: Date.parse(leftAt ?? now) }));
}

/** Seconds of doctor and patient in a call that still runs. */
export const spentSoFar = async (db: Db | Tx, roomId: string, now: string): Promise<number> =>
  talkOf(await staysOf(db, roomId, now)).doctorPatientSec;
