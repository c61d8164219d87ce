import type { InputOf } from '#kernel/contract/call.ts';
import type { addBanner } from '../../contract/banners/calls.ts';
import type { Audience } from '../../contract/delivery/audience.ts';

/** An audience as calls take it: people of the test list by their numbers alone. */
export type AudienceDraft = NonNullable<InputOf<typeof addBanner>['audience']>;

export const audienceDraftOf = ({ testIds: _ids, ...wanted }: Audience): AudienceDraft => wanted;
