import { platformErrors } from '#kernel/contract/errors.ts';
import type { AnswerOf, Call, InputOf } from '#kernel/contract/call.ts';
import type { Answer } from '#kernel/web/http/client.ts';
import type { SuccessText } from '#kernel/web/feedback/successTexts.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';

const CONFLICT = platformErrors.CHANGED.code;

interface CorpusCommand<C extends Call> {
  call: C;
  success?: SuccessText;
  refreshes?: readonly Call[];
  onDone?(answer: Answer<AnswerOf<C>>): void;
}

/** What the conflict dialog sets against the record as it stands now. */
export interface Seen {
  version: number;
  mine: Readonly<Record<string, unknown>>;
  labels: Readonly<Record<string, string>>;
  display?(name: string, value: unknown): unknown;
  /** The operator takes the current record. */
  onReload?(current: Record<string, unknown>): void;
  /** He keeps his own; the next try is made on the current version. */
  onKeep?(current: Record<string, unknown>): void;
}

/**
 * Makes a call of the corpus. Its refusals are silent where the contract says so and what was typed stays; a record
 * changed by somebody else opens the conflict dialog all the same; who it was is said until the next act.
 */
export function useCorpusCommand<C extends Call>({ call, success, refreshes, onDone }: CorpusCommand<C>) {
  const command = useCommand(call, {
    ...(success !== undefined && { success }),
    ...(refreshes && { refreshes }),
    ...(onDone && { onSuccess: onDone }),
  });
  const run = async (input: InputOf<C>, seen?: Seen): Promise<boolean> => {
    try {
      return (await command.run(input, { ...(seen && { version: seen.version }), quiet: [CONFLICT] })) !== null;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const current = (error.data as { current?: Record<string, unknown> } | null)?.current ?? {};
      const [{ showConflict }, { notice }] = await Promise.all([
        import('#kernel/web/form/conflict.tsx'),
        import('#kernel/web/feedback/notice.ts'),
      ]);
      await showConflict({
        call,
        message: error.message,
        mine: seen?.mine ?? {},
        current,
        ...(seen && { labels: seen.labels }),
        ...(seen?.display && { display: seen.display }),
        ...(seen?.onReload && { onReload: seen.onReload }),
        ...(seen?.onKeep && { onKeep: seen.onKeep }),
      });
      notice(error.message);
      return false;
    }
  };
  return { run, busy: command.busy, flying: command.flying };
}
