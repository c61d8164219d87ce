import type { OutputOf } from '../../../../kernel/contract/call.ts';
import type { queryServiceConfig } from '../../contract/configCalls.ts';

export type LoadedConfig = OutputOf<typeof queryServiceConfig>;
