import { sql } from 'kysely';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { imEngine } from '../im/engine.ts';
import type { Scene } from './scenes.ts';

const REFRESH_MS = 20_000;
const last = new WeakMap<object, number>();

/**
 * Who is played seems to be there, as long as nobody real is; and the colleagues of a demonstration, at whose desks nobody sits, keep
 * their patients.
 */
export async function showPresence({ kernel, now, db }: JobContext, scenes: readonly Scene[]): Promise<void> {
  if (Date.parse(now) - (last.get(kernel) ?? 0) < REFRESH_MS) return;
  last.set(kernel, Date.parse(now));
  const { hub } = imEngine(kernel);
  const played = new Set(
    scenes
      .flatMap(({ patientUser, doctorUser, patientReal, doctorReal }) => [
        patientReal ? '' : patientUser,
        doctorReal ? '' : (doctorUser ?? ''),
      ])
      .filter(Boolean),
  );
  await sql`
    insert into consultation_im_connection (socket_id, im_user_id, node, device, client_id, ip, last_seen_at)
      select 'bot:' || v, v, ${hub.node}, 'bot', 'bot', '127.0.0.1', ${now}
        from unnest(${[...played]}::text[]) v
        on conflict (socket_id) do update
        set last_seen_at = excluded.last_seen_at, node = excluded.node`.execute(db);
  await sql`delete from consultation_im_connection where device = 'bot' and not im_user_id = any(${[...played]}::text[])`.execute(db);
  await sql`update consultation_assistant_duty set last_connected_at = ${now} where state = 'ON'`.execute(db);
}
