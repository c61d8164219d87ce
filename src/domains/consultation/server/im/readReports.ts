import { messageRead } from '../../../../events/consultation.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';

const COALESCE_MS = 5_000;

/** Tells the other domains how far patients have read: the furthest place of five seconds. */
export class ReadReports {
  readonly #kernel: Kernel;
  #waiting = new Map<string, { conversationId: string; imUserId: string; readSeq: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  add(conversationId: string, imUserId: string, readSeq: number): void {
    if (!imUserId.startsWith('P')) return;
    this.#waiting.set(`${conversationId}|${imUserId}`, { conversationId, imUserId, readSeq });
    this.#timer ??= setTimeout(() => void this.flush(), COALESCE_MS);
  }

  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const reports = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (reports.length === 0) return;
    const at = this.#kernel.clock.now();
    await this.#kernel.transactions
      .run('im', async (writing) => {
        for (const report of reports) await writing.publish(messageRead, report.conversationId, { ...report, at });
      })
      .catch((error: unknown) => this.#kernel.log.error({ error }, 'read cursors of patients could not be reported'));
  }
}
