import { drawReportPicture, REPORT_SIZE } from '#kernel/server/demo/reportPicture.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { attach } from '#domains/files/server/index.ts';
import { messageTypes, type MessagePayload, type MessageType } from '../../contract/im/types.ts';
import { reportFile, reportOf } from '../demo/talk/reports.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { imEngine } from '../im/engine.ts';
import { moveReadCursor } from '../im/conversations/reading.ts';
import { isRefused } from '../im/messages/sending.ts';
import { uploaderOf } from '../participants/enter.ts';
import type { Scene } from './scenes.ts';

/** One message of one bot in three seconds. */
const APART_MS = 3_000;

/** Speaks for the bots of one run, each at most once. */
export class Voice {
  readonly #context: JobContext;
  readonly #spoke = new Map<string, number>();

  constructor(context: JobContext, scenes: readonly Scene[]) {
    this.#context = context;
    for (const { patientUser, doctorUser, patientSentAt, doctorSentAt } of scenes) {
      for (const [user, at] of [
        [patientUser, patientSentAt],
        [doctorUser, doctorSentAt],
      ] as const)
        if (user !== null && at !== null) this.#spoke.set(user, Date.parse(at));
    }
  }

  mayNow(user: string): boolean {
    const before = this.#spoke.get(user);
    return before === undefined || Date.parse(this.#context.now) - before >= APART_MS;
  }

  /**
   * Writes through the same queue and the same checks as every socket; `key` keeps it from being said twice. @returns whether it was
   * stored.
   */
  async say(scene: Scene, user: string, key: string, content: { type?: MessageType; payload: MessagePayload }): Promise<boolean> {
    if (!this.mayNow(user)) return false;
    this.#spoke.set(user, Date.parse(this.#context.now));
    const outcome = await imEngine(this.#context.kernel).queue.add({
      convId: scene.convId,
      senderId: user,
      clientMsgId: `bot:${user}:${key}`,
      type: content.type ?? messageTypes.TEXT,
      payload: content.payload,
      cloudCustomData: '',
      atUserList: [],
      quoteSeq: null,
      needReadReceipt: false,
      countsUnread: true,
      origin: 'HUMAN',
      sourceRef: null,
    });
    return !isRefused(outcome);
  }

  /** Has read everything so far. */
  async read(scene: Scene, user: string): Promise<void> {
    const { kernel, now, transaction } = this.#context;
    const engine = imEngine(kernel);
    const conv = await engine.names.byId(kernel.db, scene.convId);
    if (!conv) return;
    await transaction((writing) => moveReadCursor(writing, engine.hub, conv, user, scene.lastSeq, now));
    engine.reads.add(scene.convId, user, scene.lastSeq);
  }

  /** The report of the patient's disease, uploaded as his page would. */
  async showReport(scene: Scene, report: string): Promise<boolean> {
    const { kernel, now, transaction } = this.#context;
    const { patientUser, groupId, lastSeq } = scene;
    if (!this.mayNow(patientUser)) return false;
    const fileName = reportFile(report);
    const body = drawReportPicture(reportOf(report));
    const userId = uploaderOf({ imUserId: patientUser });
    const fileId = await transaction(async (writing) => {
      const file = await kernel.ports.files.store(
        writing.tx,
        { purpose: CHAT_PURPOSE, name: fileName, body, contentType: 'image/jpeg', createdBy: userId, sensitive: true },
        now,
      );
      await attach(
        writing.tx,
        { fileIds: [file.fileId], purpose: CHAT_PURPOSE, ownerType: 'consultation.group', ownerId: groupId, field: 'media', userId },
        now,
      );
      return file.fileId;
    });
    return this.say(scene, patientUser, `${lastSeq}:report`, {
      type: messageTypes.IMAGE,
      payload: { fileId, fileName, size: body.length, width: REPORT_SIZE[0], height: REPORT_SIZE[1] },
    });
  }
}
