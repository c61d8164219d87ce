import { noScope } from '../ports.ts';
import type { Staff } from '../context.ts';

/** Who looks at rows: his data scope decides which. */
export type Viewer = Pick<Staff, 'userId' | 'roleCode' | 'scope'>;

/** Jobs, consumers and other domains see everything. */
export const everyone: Viewer = { userId: '0', roleCode: null, scope: noScope };
