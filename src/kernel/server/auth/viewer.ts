import { noScope } from '../ports.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';
import type { ApiClient, Context, Staff } from '../context.ts';

/** Who looks at rows: his data scope decides which. */
export type Viewer = Pick<Staff, 'userId' | 'roleCode' | 'scope'>;

/** Jobs, consumers and other domains see everything. */
export const everyone: Viewer = { userId: '0', roleCode: null, scope: noScope };

/** The machine that signed the request. @throws Refusal SCM90010 where there is none */
export function machineOf({ client }: Pick<Context, 'client'>): ApiClient {
  if (!client) throw refuse(platformErrors.NO_PERMISSION, { permission: '' }, { message: '没有权限：此接口仅供系统调用' });
  return client;
}

/** Whether a machine looks: what lies outside its scope does not exist for it, and no exception is offered. */
export const isMachine = ({ userId }: Pick<Viewer, 'userId'>): boolean => userId.startsWith('-');

/** A machine as it looks at rows. Its number never meets that of a member of staff: it also owns the files that it uploads. */
export function machineViewer(ctx: Pick<Context, 'client'>): Viewer {
  const { apiClientId, scope } = machineOf(ctx);
  return { userId: `-${apiClientId}`, roleCode: null, scope };
}
