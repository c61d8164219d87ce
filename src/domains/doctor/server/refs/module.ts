import { sql } from 'kysely';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { channelChanged } from '#events/channel.ts';
import { markBound, markChanged, markUnbound } from '#events/content.ts';
import { corpusDiseaseChanged } from '#events/corpus.ts';
import { agentChanged } from '#events/pharma.ts';
import { doctorBalanceChanged } from '#events/settlement.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { keepCopy } from './copies.ts';
import { hospitalConsumers } from './hospitals.ts';

/** Object type of doctors where marks are bound. */
const DOCTOR_OBJECT = 'DOCTOR';

/** What this domain keeps of others' records. */
export const refsModule: FeatureModule = {
  handlers: () => [],
  consumers: [
    ...hospitalConsumers,
    consumer('doctor', corpusDiseaseChanged, ({ seq, payload }, ctx) =>
      keepCopy(
        ctx.tx,
        {
          kind: 'DISEASE',
          refId: payload.diseaseId,
          name: payload.diseaseName,
          state: payload.available === 1 ? 'ENABLED' : 'DISABLED',
          facts: { code: payload.diseaseCode },
        },
        seq,
        ctx.now,
      ),
    ),
    consumer('doctor', channelChanged, ({ seq, payload }, ctx) =>
      keepCopy(
        ctx.tx,
        {
          kind: 'CHANNEL',
          refId: payload.channelId,
          name: payload.name,
          state: payload.state,
          facts: { no: payload.channelNo, channelType: payload.channelType, agentId: payload.agentId },
        },
        seq,
        ctx.now,
      ),
    ),
    // Lists name the representative of a doctor's channel; hand-overs bring only ids.
    consumer('doctor', agentChanged, ({ seq, payload }, ctx) =>
      keepCopy(
        ctx.tx,
        { kind: 'AGENT', refId: payload.agentId, name: payload.name, state: payload.state, facts: { no: payload.agentNo } },
        seq,
        ctx.now,
      ),
    ),
    consumer('doctor', markChanged, ({ seq, payload }, ctx) =>
      keepCopy(
        ctx.tx,
        {
          kind: 'MARK',
          refId: payload.markId,
          name: payload.name,
          state: payload.state,
          facts: { code: payload.markCode, colour: payload.colour },
        },
        seq,
        ctx.now,
      ),
    ),
    consumer('doctor', markBound, async ({ payload }, ctx) => {
      if (payload.objectType !== DOCTOR_OBJECT) return;
      await sql`
        update doctor_doctor
          set mark_ids = mark_ids || ${payload.markId}::bigint, updated_at = ${ctx.now}
          where id = ${payload.objectId} and not mark_ids @> array[${payload.markId}]::bigint[]`.execute(ctx.tx);
    }),
    consumer('doctor', markUnbound, async ({ payload }, ctx) => {
      if (payload.objectType !== DOCTOR_OBJECT) return;
      await sql`
        update doctor_doctor
          set mark_ids = array_remove(mark_ids, ${payload.markId}::bigint), updated_at = ${ctx.now}
          where id = ${payload.objectId}`.execute(ctx.tx);
    }),
    consumer('doctor', doctorBalanceChanged, async ({ payload }, ctx) => {
      await sql`
        update doctor_doctor set unsettled_fen = ${payload.unsettledFen}, updated_at = ${ctx.now} where id = ${payload.doctorId}`.execute(
        ctx.tx,
      );
    }),
  ],
};
