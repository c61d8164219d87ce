import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { getChannels, scansOf } from '#domains/channel/server/index.ts';
import type { queryAttributionTrail } from '../../contract/calls/attribution.ts';
import { seesDoctor } from '../access.ts';
import { own } from '../database.ts';
import { seesAttribution } from './access.ts';
import { shownName } from './list.ts';
import { nameOf } from './names.ts';

/** All scans, attributions and changes of one subject, newest first. */
export async function attributionTrail(ctx: QueryContext, { subjectType, subjectId }: CheckedInputOf<typeof queryAttributionTrail>) {
  const db = own(ctx.db);
  const seen = await db
    .selectFrom('doctorAttribution as t')
    .select('t.subjectName')
    .where('t.subjectType', '=', subjectType)
    .where('t.subjectId', '=', subjectId)
    .where(seesAttribution(ctx.staff))
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND, { message: '归属对象不存在' });
  const attributions = await db
    .selectFrom('doctorAttribution as t')
    .leftJoin('doctorDoctor as v', 'v.id', 't.viaDoctorId')
    .leftJoin('doctorAttributionChange as g', 'g.id', 't.changeId')
    .select(['t.id', 'v.name as viaDoctorName', 't.method', 't.startedAt', 't.endedAt', 'g.changeNo'])
    .select([nameOf('CHANNEL', 't.channel_id').as('channelName'), nameOf('AGENT', 't.agent_id').as('agentName')])
    .where('t.subjectType', '=', subjectType)
    .where('t.subjectId', '=', subjectId)
    .orderBy('t.startedAt', 'desc')
    .execute();
  const scans = await scansOf(ctx.db, subjectType === 'DOCTOR' ? { doctorId: subjectId } : { patientId: subjectId });
  const channels = new Map(
    (await getChannels(ctx.db, [...new Set(scans.flatMap(({ channelId }) => channelId ?? []))])).map(({ id, name }) => [id, name]),
  );
  const changes = await db
    .selectFrom('doctorAttributionChange as g')
    .select(['g.id', 'g.changeNo', 'g.effectiveOn', 'g.state', 'g.createdAt'])
    .select([nameOf('CHANNEL', 'g.from_channel_id').as('fromChannelName'), nameOf('CHANNEL', 'g.to_channel_id').as('toChannelName')])
    .where('g.subjectType', '=', subjectType)
    .where('g.subjectId', '=', subjectId)
    .orderBy('g.id', 'desc')
    .execute();
  const doctors =
    subjectType === 'DOCTOR'
      ? []
      : await db
          .selectFrom('doctorPatient as p')
          .innerJoin('doctorDoctor as d', 'd.id', 'p.doctorId')
          .select(['p.doctorId', 'd.name as doctorName', 'p.firstAt', 'p.lastAt', 'p.orderCount'])
          .where('p.patientId', '=', subjectId)
          .where(seesDoctor(ctx.staff))
          .orderBy('p.lastAt', 'desc')
          .limit(50)
          .execute();
  return {
    subjectName: shownName(subjectType, seen.subjectName),
    attributions: attributions,
    scans: scans.map(({ scanId, channelId, at }) => ({
      scanId,
      at,
      channelName: channelId === null ? null : (channels.get(channelId) ?? null),
    })),
    changes: changes,
    doctors,
  };
}
