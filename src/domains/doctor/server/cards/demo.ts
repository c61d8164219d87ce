import { sql } from 'kysely';
import { days, dayOf, plusMs } from '#kernel/contract/time.ts';
import type { DemoContext } from '#kernel/server/module.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createSceneCode } from '#domains/channel/server/index.ts';
import { usualFields } from '../../contract/calls/cards.ts';
import { ownTx } from '../database.ts';
import { drawBatch } from './jobs.ts';

const CARDS = 90;
const FAILED = [12, 37, 64];
const STALE = [5, 28, 51, 77];
const TEMPLATES = ['BLUE', 'GREEN', 'GOLD'] as const;
const HEADLINES = ['守护您的健康', '专业、耐心、及时回复', '慢病管理，长期陪伴', ''];

/** 90 cards: three failed, four outdated; the others are one batch, drawn as soon as the program has started. */
export async function writeCards({ kernel, now, transaction }: DemoContext): Promise<void> {
  await transaction(async (writing) => {
    const doctors = await ownTx(writing.tx)
      .selectFrom('doctorDoctor')
      .select(['id', 'name', 'channelId'])
      .where('practiceOk', '=', true)
      .orderBy('id')
      .limit(CARDS)
      .execute();
    const waiting: string[] = [];
    for (const [index, doctor] of doctors.entries()) {
      const at = plusMs(now, -days(1 + (index % 40)));
      const failed = FAILED.includes(index);
      const stale = STALE.includes(index);
      const code = failed
        ? null
        : await createSceneCode(
            kernel,
            { ...writing, now: at },
            { doctorId: doctor.id, doctorName: doctor.name, channelId: doctor.channelId },
          );
      await ownTx(writing.tx)
        .insertInto('doctorCard')
        .values({
          doctorId: doctor.id,
          template: TEMPLATES[index % 3]!,
          headline: HEADLINES[index % HEADLINES.length]!,
          showFields: [...usualFields],
          sceneCodeId: code?.codeId ?? null,
          codeLink: code?.link ?? null,
          sourceHash: stale ? 'outdated' : null,
          state: failed ? 'FAILED' : stale ? 'STALE' : 'GENERATING',
          failReason: failed ? '图片生成失败：头像文件已损坏' : null,
          shareCount: failed ? 0 : (index * 7) % 23,
          createdAt: at,
          updatedAt: at,
        })
        .execute();
      if (!failed && !stale) waiting.push(doctor.id);
    }
    const { rows: users } = await sql<{
      id: string;
    }>`select id from identity_staff_user where user_name in ('doc_ops', 'admin') order by user_name desc limit 1`.execute(writing.tx);
    if (waiting.length === 0 || !users[0]) return;
    const { id: taskId } = await ownTx(writing.tx)
      .insertInto('doctorCardTask')
      .values({
        taskNo: await nextNumber(writing.tx, 'MS', dayOf(now)),
        doctorIds: waiting,
        total: waiting.length,
        state: 'RUNNING',
        createdAt: now,
        createdBy: users[0].id,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writing.enqueue(drawBatch, { taskId }, { singletonKey: `cards:${taskId}` });
  });
}
