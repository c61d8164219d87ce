import type { ServerModuleFactory } from '../../../kernel/server/module.ts';
import { consultationDictionaries } from '../contract/dictionaries.ts';
import { consultationErrors } from '../contract/errors.ts';
import { consultationMachines } from '../contract/states.ts';
import { ensureSystemAccount } from './im/accounts.ts';
import { openImNamespace } from './im/namespace.ts';

/** Chats of patient, doctor and assistant, the inquiry that they serve, the assistants' queue, video calls and visit records. */
export const consultationModule: ServerModuleFactory = (kernel) => ({
  domain: 'consultation',
  permissions: [],
  routes: [],
  errors: consultationErrors,
  dictionaries: [...consultationDictionaries, ...consultationMachines.map((machine) => machine.dictionary)],
  handlers: [],
  sockets: (io, bus) => openImNamespace(kernel, io, bus),
  reference: [{ name: 'consultation.systemAccount', content: 1, write: (tx, now) => ensureSystemAccount(tx, now) }],
});
