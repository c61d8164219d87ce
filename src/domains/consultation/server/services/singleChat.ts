import type { Instant } from '#kernel/contract/time.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import { readProfiles } from '../im/conversations/directory.ts';
import { ensureSingleChat } from '../im/conversations/groups.ts';

/**
 * The single chat of an assistant and a patient's account, opened where there is none: an engine may write the first message of one.
 * @returns its conversation id. @throws Refusal SCM90040 when one of them has no chat account.
 */
export async function openSingleChat(
  kernel: Kernel,
  writing: Writing,
  pair: { assistantOperatorId: string; suffererOperatorId: string },
  now: Instant,
): Promise<string> {
  const [assistant, patient] = [userIdOf('ASSISTANT', pair.assistantOperatorId), userIdOf('PATIENT', pair.suffererOperatorId)];
  if ((await readProfiles(writing.tx, [assistant, patient])).length < 2) throw refuse(platformErrors.NOT_FOUND);
  return ensureSingleChat(kernel, writing, assistant, patient, now);
}
