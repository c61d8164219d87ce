import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Target } from '../../contract/calls/codeFields.ts';

/** Everything that the landing of a code needs, in one statement. */
export interface LandingCode {
  id: string;
  token: string;
  kind: 'COMMON' | 'SCENE' | 'LIVE';
  name: string;
  state: string;
  channelId: string;
  channelName: string;
  channelState: string;
  agentId: string | null;
  target: Target;
  params: Record<string, string>;
  validFrom: Instant | null;
  validTo: Instant | null;
  scanLimit: number | null;
  sceneCodeId: string | null;
  sceneCodeState: string | null;
  sceneId: string | null;
  sceneName: string | null;
  sceneUsable: boolean | null;
  diseaseId: string | null;
  doctorId: string | null;
  doctorName: string | null;
  doctorUsable: boolean | null;
  itemId: string | null;
}

/** Null when there is no such code. Not cached: one indexed read, and a change counts at once on every node. */
export async function landingCode(db: Db, token: string): Promise<LandingCode | null> {
  const { rows } = await sql<LandingCode>`
    select q.id, q.token, q.kind, q.name, q.state, q.channel_id, c.name as channel_name,
        case
          when exists (select from channel_channel a where a.id = any(c.path) and a.state = 'DISABLED') then 'DISABLED'
          else c.state
        end as channel_state,
        c.agent_id, q.target, q.params, q.valid_from, q.valid_to, q.scan_limit, s.id as scene_code_id, s.state as scene_code_state,
        s.scene_id, n.name as scene_name, n.usable as scene_usable, n.facts->>'diseaseId' as disease_id,
        coalesce(s.doctor_id, case when q.target_type = 'DOCTOR' then (q.target->>'refId')::bigint end) as doctor_id, d.name as doctor_name,
        d.usable as doctor_usable, s.item_id
      from channel_qr_code q
      join channel_channel c on c.id = q.channel_id
      left join channel_scene_code s on s.code_id = q.id
      left join channel_ref_copy n on n.kind = 'SCENE'
        and n.ref_id = coalesce(s.scene_id, case when q.target_type = 'SCENE' then (q.target->>'refId')::bigint end)
      left join channel_ref_copy d on d.kind = 'DOCTOR'
        and d.ref_id = coalesce(s.doctor_id, case when q.target_type = 'DOCTOR' then (q.target->>'refId')::bigint end)
      where q.token = ${token}`.execute(db);
  return rows[0] ?? null;
}

export type Verdict = 'OK' | 'DISABLED' | 'EXPIRED' | 'NOT_STARTED';

/** Whether a code may be opened now; the limit of scans is asked when it is counted. */
export function verdictOf(code: LandingCode, now: Instant): Verdict {
  if (code.state !== 'ACTIVE' || code.channelState === 'DISABLED' || (code.sceneCodeState !== null && code.sceneCodeState !== 'ACTIVE'))
    return 'DISABLED';
  if (code.validTo !== null && code.validTo <= now) return 'EXPIRED';
  if (code.validFrom !== null && code.validFrom > now) return 'NOT_STARTED';
  return 'OK';
}
