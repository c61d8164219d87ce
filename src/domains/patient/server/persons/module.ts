import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { contactHandlers } from './contacts.ts';
import { detail } from './detail.ts';
import { lookHandlers } from './looks.ts';
import { operate } from './operate.ts';
import { picker } from './picker.ts';
import { revealHandlers } from './reveal.ts';
import { saveHandlers } from './save.ts';

/** Who the patient is. */
export const personsModule: FeatureModule = {
  handlers: (kernel) => [
    picker(kernel),
    detail,
    operate,
    ...saveHandlers(kernel),
    ...revealHandlers(kernel),
    ...contactHandlers(kernel),
    ...lookHandlers,
  ],
};
