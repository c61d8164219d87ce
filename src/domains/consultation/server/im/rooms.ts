import type { ImEngine } from './engine.ts';

const KEPT_MS = 2_000;
const rooms = new WeakMap<ImEngine, Map<number, { at: number; members: Promise<readonly string[]> }>>();

/** Whether both stand in this video room; who stands there is asked at most every two seconds. */
export async function roomAllows(engine: ImEngine, roomId: number, from: string, to: string): Promise<boolean> {
  const known = rooms.get(engine) ?? new Map<number, { at: number; members: Promise<readonly string[]> }>();
  rooms.set(engine, known);
  const at = performance.now();
  let room = known.get(roomId);
  const isIn = (members: readonly string[]) => members.includes(from) && members.includes(to);
  if (room && at - room.at < KEPT_MS && isIn(await room.members)) return true;
  if (known.size > 500) known.clear();
  room = { at, members: engine.hooks.roomMembers(engine.kernel.db, roomId) };
  known.set(roomId, room);
  return isIn(await room.members);
}
