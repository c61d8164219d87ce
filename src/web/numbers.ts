import type { NumberPlace } from '#kernel/web/router/numberPlace.ts';
import { cardNumbers } from '#domains/card/web/numbers.ts';
import { channelNumbers } from '#domains/channel/web/numbers.ts';
import { consultationNumbers } from '#domains/consultation/web/numbers.ts';
import { contentNumbers } from '#domains/content/web/numbers.ts';
import { corpusNumbers } from '#domains/corpus/web/numbers.ts';
import { doctorNumbers } from '#domains/doctor/web/numbers.ts';
import { filesNumbers } from '#domains/files/web/numbers.ts';
import { institutionNumbers } from '#domains/institution/web/numbers.ts';
import { pharmaNumbers } from '#domains/pharma/web/numbers.ts';
import { policyNumbers } from '#domains/policy/web/numbers.ts';

/** Business numbers of all domains; loaded when somebody looks for one. */
export const numberPlaces: readonly NumberPlace[] = [
  ...cardNumbers,
  ...channelNumbers,
  ...consultationNumbers,
  ...contentNumbers,
  ...corpusNumbers,
  ...doctorNumbers,
  ...filesNumbers,
  ...institutionNumbers,
  ...pharmaNumbers,
  ...policyNumbers,
];
