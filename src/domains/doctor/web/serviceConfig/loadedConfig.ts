import type { OutputOf } from '#kernel/contract/call.ts';
import type { queryServiceConfig } from '../../contract/calls/config.ts';

export type LoadedConfig = OutputOf<typeof queryServiceConfig>;
