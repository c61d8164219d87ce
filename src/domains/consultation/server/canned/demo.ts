import type { DemoContext } from '#kernel/server/module.ts';
import { pinyinText } from '#kernel/server/text/pinyin.ts';
import { ownTx } from '../database.ts';
import { demoReplies } from './demoTexts.ts';
import { NOBODY } from './save.ts';

/** 80 public replies in six categories. */
export async function writeCannedReplies({ now, transaction }: DemoContext): Promise<void> {
  const rows = demoReplies.map(([category, shortcut, title, content], index) => ({
    scope: 'PUBLIC' as const,
    ownerId: NOBODY,
    category,
    shortcut,
    title,
    titlePinyin: pinyinText(title),
    content,
    useCount: (index * 37) % 113,
    createdAt: now,
    updatedAt: now,
  }));
  await transaction(({ tx }) =>
    ownTx(tx)
      .insertInto('consultationCannedReply')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['scope', 'ownerId', 'shortcut']).doNothing())
      .execute(),
  );
}
