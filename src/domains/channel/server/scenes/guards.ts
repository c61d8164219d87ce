import { sql } from 'kysely';
import { refuse, type Refusal } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { channelErrors } from '../../contract/errors.ts';
import { seesChannel, type Viewer } from '../access.ts';

interface Known {
  id: string;
  name: string;
  usable: boolean;
}

/** What decides whether scene codes may be made, read once for all pairs. */
export interface Grounds {
  scene: Known | null;
  channels: ReadonlyMap<string, { name: string; state: string; agentName: string | null; agentOk: boolean }>;
  doctors: ReadonlyMap<string, Known>;
  /** `channel/doctor` → number of the code that is there already. */
  existing: ReadonlyMap<string, string>;
}

export const pairKey = (channelId: string, doctorId: string | null) => `${channelId}/${doctorId ?? ''}`;

export async function groundsOf(
  db: Db,
  viewer: Viewer,
  wish: { sceneId: string; channelIds: readonly string[]; doctorIds: readonly string[] },
): Promise<Grounds> {
  const copies = async (kind: string, ids: readonly string[]) =>
    new Map(
      (
        await sql<Known>`
          select ref_id as id, name, usable from channel_ref_copy where kind = ${kind} and ref_id = any(${[...ids]}::bigint[])`.execute(db)
      ).rows.map((row) => [row.id, row]),
    );
  const { rows: channels } = await sql<{ id: string; name: string; state: string; agentName: string | null; agentOk: boolean }>`
    select c.id, c.name, c.state, a.name as agent_name, coalesce(c.agent_id is null or a.usable, false) as agent_ok
      from channel_channel c
      left join channel_ref_copy a on a.kind = 'AGENT' and a.ref_id = c.agent_id
      where c.id = any(${[...wish.channelIds]}::bigint[]) and ${seesChannel(viewer)}`.execute(db);
  const { rows: existing } = await sql<{ channelId: string; doctorId: string | null; no: string }>`
    select channel_id, doctor_id, scene_code_no as no
      from channel_scene_code
      where scene_id = ${wish.sceneId} and channel_id = any(${[...wish.channelIds]}::bigint[]) and state <> 'VOID'`.execute(db);
  return {
    scene: (await copies('SCENE', [wish.sceneId])).get(wish.sceneId) ?? null,
    channels: new Map(channels.map(({ id, ...channel }) => [id, channel])),
    doctors: await copies('DOCTOR', wish.doctorIds),
    existing: new Map(existing.map(({ channelId, doctorId, no }) => [pairKey(channelId, doctorId), no])),
  };
}

/** Why this pair cannot have a code; null when it can. A code that is there already is told apart by its number. */
export function refusalOfPair(grounds: Grounds, channelId: string, doctorId: string | null): Refusal | null {
  const channel = grounds.channels.get(channelId);
  const no = grounds.existing.get(pairKey(channelId, doctorId));
  if (no !== undefined) return refuse(channelErrors.SCENE_CODE_EXISTS, { no });
  if (!grounds.scene?.usable) return refuse(channelErrors.SCENE_GONE);
  if (channel?.state !== 'ENABLED') return refuse(channelErrors.CHANNEL_DISABLED);
  if (!channel.agentOk) return refuse(channelErrors.FILING_EXPIRED, { name: channel.agentName ?? '' });
  if (doctorId !== null && !grounds.doctors.get(doctorId)?.usable) return refuse(channelErrors.DOCTOR_NOT_READY);
  return null;
}
