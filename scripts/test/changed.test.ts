import { expect, it } from 'vitest';
import { changesBrowser, journeysOf } from './changed.ts';

const folders = ['corpus', 'doctor', 'kernel'];

it.each([
  ['a page of a domain', ['src/domains/doctor/web/doctorManagement/Doctors.tsx'], ['doctor']],
  ['two domains', ['src/domains/corpus/server/scenes.ts', 'src/domains/doctor/contract/states.ts'], ['corpus', 'doctor']],
  ['a journey', ['e2e/corpus/corpus.test.ts'], ['corpus']],
  ['what journeys share', ['e2e/steps.ts'], folders],
  ['the kernel', ['src/kernel/web/list/ResourceList.tsx'], folders],
  ['a migration', ['migrations/202611230600_identity_session_changes.sql'], folders],
  ['a domain without journeys of its own', ['src/domains/claim/server/read.ts'], folders],
  ['tests and documents alone', ['src/domains/doctor/server/doctors.test.ts', 'README.md', 'docs/design/routes.csv'], []],
])('of %s the journeys that it can touch are run', (_name, files, expected) => {
  expect(journeysOf(files, folders)).toEqual(expected);
});

it.each([
  ['src/domains/doctor/web/module.ts', true],
  ['src/domains/doctor/contract/states.ts', true],
  ['src/kernel/web/kit/Can.tsx', true],
  ['vite.config.ts', true],
  ['src/domains/doctor/server/module.ts', false],
  ['README.md', false],
])('%s makes another program for the browser: %s', (file, changes) => {
  expect(changesBrowser([file])).toBe(changes);
});
