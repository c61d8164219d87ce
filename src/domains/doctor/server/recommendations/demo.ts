import { sql } from 'kysely';
import { days, plusMs } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { ownTx } from '../database.ts';

const REASONS = ['三甲医院学科带头人，在线随访经验丰富', '患者评价优秀，首次回复及时', '省内知名专家，擅长疑难病例', ''];

/** Position, scope, how many: 25 in all, of every state. */
async function scopesOf(tx: Parameters<typeof ownTx>[0]) {
  const diseases = await ownTx(tx)
    .selectFrom('doctorRefCopy')
    .select('refId')
    .where('kind', '=', 'DISEASE')
    .orderBy('refId')
    .limit(2)
    .execute();
  const channels = await ownTx(tx)
    .selectFrom('doctorRefCopy')
    .select('refId')
    .where('kind', '=', 'CHANNEL')
    .where('state', '=', 'ENABLED')
    .orderBy('refId')
    .limit(1)
    .execute();
  return [
    { position: 'HOME', scopeKey: '*', count: 10 },
    ...diseases.map(({ refId }) => ({ position: 'DISEASE', scopeKey: `disease:${refId}`, count: 4 })),
    ...channels.map(({ refId }) => ({ position: 'CHANNEL', scopeKey: `channel:${refId}`, count: 3 })),
    { position: 'SEARCH', scopeKey: 'keyword:高血压', count: 3 },
    { position: 'SEARCH', scopeKey: 'keyword:糖尿病', count: 1 },
  ];
}

/** 25 recommendations: shown, waiting, ended, taken off. */
export async function writeRecommendations({ now, transaction }: DemoContext): Promise<void> {
  await transaction(async ({ tx }) => {
    const doctors = await ownTx(tx)
      .selectFrom('doctorDoctor')
      .select('id')
      .where('practiceOk', '=', true)
      .where('titleCode', 'in', ['CHIEF', 'ASSOCIATE'])
      .orderBy('id')
      .execute();
    let next = 0;
    for (const scope of await scopesOf(tx)) {
      for (let place = 0; place < scope.count; place += 1) {
        const doctor = doctors[(next += 1) % Math.max(1, doctors.length)];
        if (!doctor) return;
        // The last of the home page wait, ended or were taken off, so that its eight places are never overfilled.
        const kind =
          place === 7
            ? 'WAITING'
            : place === 8
              ? 'ENDED'
              : place === 9
                ? 'OFF'
                : scope.position !== 'HOME' && place === 2
                  ? 'WAITING'
                  : 'ON';
        const startAt = plusMs(now, kind === 'WAITING' ? days(3 + place) : kind === 'ENDED' ? -days(60) : -days(5 + place * 3));
        const endAt = kind === 'ENDED' ? plusMs(now, -days(20)) : plusMs(startAt, days(40 + place * 10));
        await sql`
          insert into doctor_recommendation (
            position, scope_key, doctor_id, sort, reason, start_at, end_at, state, off_opinion, created_at, updated_at
          )
          values (
            ${scope.position}, ${scope.scopeKey}, ${doctor.id}, ${place + 1}, ${REASONS[place % REASONS.length]!}, ${startAt}, ${endAt},
            ${kind}, ${kind === 'OFF' ? '医生申请暂停推荐' : null}, ${startAt}, ${now}
          )`.execute(tx);
      }
    }
  });
}
