import type { Fact } from '#kernel/web/kit/fact.ts';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { lowcodeErrors } from '../../contract/errors.ts';

interface Wish {
  changeNote: string;
  confirmActions: boolean;
}

/**
 * Asks for the note that a publication needs, and where it brings operations that the publisher may not do himself, for a second look.
 * @returns whether it was published
 */
export async function publishing(act: { title: string; facts: readonly Fact[]; send(wish: Wish): Promise<unknown> }): Promise<boolean> {
  const changeNote = await confirmWithOpinion({
    title: act.title,
    content: '发布后立即对有权限的人员生效',
    facts: act.facts,
    label: '变更说明（5-200字）',
    opinion: 'required',
    width: 640,
  });
  if (changeNote === null) return false;
  if (changeNote.trim().length < 5) {
    toastError(lowcodeErrors.NOTE_MISSING.text);
    return false;
  }
  try {
    await act.send({ changeNote, confirmActions: false });
    return true;
  } catch (error) {
    if (!(error instanceof RefusalError)) return false;
    if (
      error.code !== lowcodeErrors.NEW_ACTIONS.code ||
      !(await ask({ content: error.message, facts: act.facts, ok: '确认发布', danger: true }))
    )
      return false;
    return act.send({ changeNote, confirmActions: true }).then(
      () => true,
      () => false,
    );
  }
}
