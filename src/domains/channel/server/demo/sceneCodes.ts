import { sql } from 'kysely';
import { dayOf, days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { codeRow, insertCodes, target } from './codes.ts';

const SCENE_CODES = 320;
const CHANNELS = 6;
/** Doctors who may practise; one who may not comes after them, so that twelve codes are 异常. */
const DOCTORS = 19;

/** 320 codes of scene, channel and doctor; twelve of them name a doctor who no longer may practise. */
export async function writeSceneCodes(tx: Tx, now: Instant): Promise<void> {
  const today = dayOf(now);
  type Named = { id: string; name: string };
  const { rows: channels } = await sql<{ id: string }>`select id from channel_channel order by id limit ${CHANNELS}`.execute(tx);
  const { rows: scenes } =
    await sql<Named>`select ref_id as id, name from channel_ref_copy where kind = 'SCENE' and usable order by ref_id limit 8`.execute(tx);
  const { rows: doctors } = await sql<Named>`
    (select ref_id as id, name from channel_ref_copy where kind = 'DOCTOR' and usable order by ref_id limit ${DOCTORS})
    union all (select ref_id, name from channel_ref_copy where kind = 'DOCTOR' and not usable order by ref_id desc limit 1)`.execute(tx);
  const { rows: items } = await sql<{
    id: string;
  }>`select ref_id as id from channel_ref_copy where kind = 'ITEM' order by ref_id limit 1`.execute(tx);
  const triples = scenes
    .flatMap((scene) => doctors.flatMap((doctor) => channels.map((channel) => ({ scene, doctor, channel }))))
    .slice(0, SCENE_CODES);
  const ids = await insertCodes(
    tx,
    triples.map(({ scene, doctor, channel }, index) =>
      codeRow(
        {
          name: `${scene.name}-${doctor.name}`.slice(0, 40),
          kind: 'SCENE',
          channelId: channel.id,
          target: target('SCENE', 'https://h5.kangqiao.example/scene', scene.id),
          type: 'SCENE',
        },
        index,
        now,
      ),
    ),
  );
  for (const [index, { scene, doctor, channel }] of triples.entries()) {
    const pay = index % 5 === 0 && items.length > 0;
    await sql`
      insert into channel_scene_code (scene_code_no, code_id, scene_id, channel_id, doctor_id, entry, item_id, created_at, updated_at)
      values (
        ${await nextNumber(tx, 'CM', today)}, ${ids[index]}, ${scene.id}, ${channel.id}, ${doctor.id}, ${pay ? 'PAY' : 'AUTO'},
        ${pay ? items[0]!.id : null}, ${plusMs(now, -days(60 - (index % 50)))}, ${now}
      )`.execute(tx);
  }
}
