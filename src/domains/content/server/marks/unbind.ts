import { command } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { unbindMark } from '../../contract/marks/calls/bindings.ts';
import { markErrors } from '../../contract/marks/errors.ts';
import { MARK_TARGET } from './access.ts';
import { endBindings } from './endBindings.ts';
import { askedObjects, lockMarks } from './target.ts';

/** Takes marks from objects, whoever or whatever put them there; what carries none of them stays as it is. */
export const unbind = (kernel: Kernel) =>
  command(unbindMark, async (input, ctx) => {
    const marks = await lockMarks(ctx, input);
    const asked = await askedObjects(kernel, ctx, input);
    const objectIds = asked.flatMap(({ id }) => (id === null ? [] : [id]));
    const ended = objectIds.length ? await endBindings(ctx, { markIds: marks.map(({ id }) => id), objectIds }, 'MANUAL') : [];
    for (const mark of marks) ctx.target({ type: MARK_TARGET, id: mark.id, no: mark.markCode });
    return asked.map(({ id, name }) => ({
      objectId: id,
      name,
      ok: id !== null,
      replaced: ended.filter(({ objectId }) => objectId === id).length,
      code: id === null ? markErrors.NO_OBJECT.code : null,
      message: id === null ? markErrors.NO_OBJECT.text : '',
    }));
  });
