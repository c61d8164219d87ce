import { job } from '#kernel/server/jobs/declaration.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { SYSTEM_USER } from '../../contract/im/ids.ts';
import { ownTx } from '../database.ts';
import { modifyMessage } from '../im/messages/changing.ts';
import { imEngine } from '../im/engine.ts';
import { imModeOf } from '../tencent/mode.ts';
import type { RoomEnd } from './talk.ts';

/** A card of a call that is over offers no joining any more. The vendor's service keeps its cards as they were sent. */
export const endCardJob = job<{ groupId: string; roomId: string; end: RoomEnd; talkSec: number }>({
  name: 'consultation.endCallCard',
  label: '更新视频通话卡片',
  subject: ({ groupId }) => groupId,
  retryLimit: 3,
  async run({ groupId, roomId, end, talkSec }, { kernel, now, transaction }) {
    if (imModeOf(kernel) === 'TENCENT') return;
    await transaction(async (writing) => {
      const group = await ownTx(writing.tx)
        .selectFrom('consultationMedicalGroup')
        .select(['convId', 'archivedAt'])
        .where('groupId', '=', groupId)
        .executeTakeFirst();
      if (!group || group.archivedAt !== null) return;
      const card = await ownTx(writing.tx)
        .selectFrom('consultationImMessage')
        .select(['seq', 'modifyVersion', 'revokedAt'])
        .where('convId', '=', group.convId)
        .where('senderId', '=', SYSTEM_USER)
        .where('clientMsgId', '=', `video:${roomId}`)
        .executeTakeFirst();
      // The job that says it may still be waiting: this one comes again.
      if (!card) throw new Error(`the card of call ${roomId} is not there yet`);
      if (card.revokedAt !== null) return;
      const payload = cardPayload({ businessID: 'video_call', v: 1, roomId: Number(roomId), action: end, talkSec }, '[视频通话] 已结束');
      const conv = { convId: group.convId, groupId, userLow: null, userHigh: null };
      await modifyMessage(
        writing,
        imEngine(kernel),
        conv,
        { seq: Number(card.seq), payload, modifyVersion: card.modifyVersion },
        SYSTEM_USER,
        now,
      );
    });
  },
});
