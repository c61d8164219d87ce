import path from 'node:path';
import { expect, test } from 'vitest';
import { failuresOf, root } from './step.ts';

const at = (name: string): string => path.join(root, name);

test('failures are told with file, name and the head of the fault; passed tests and library frames are left out', () => {
  const told = failuresOf({
    testResults: [
      {
        name: at('e2e/doctor.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          {
            fullName: 'a doctor is approved',
            status: 'failed',
            failureMessages: [
              '\u001b[31mError: no button 通过\u001b[39m\n    at node_modules/vitest/run.js:1\n    at e2e/doctor.test.ts:12:3',
            ],
          },
          { fullName: 'a doctor is refused', status: 'passed', failureMessages: [] },
        ],
      },
      { name: at('src/broken.test.ts'), status: 'failed', message: 'SyntaxError: Unexpected token', assertionResults: [] },
      {
        name: at('src/good.test.ts'),
        status: 'passed',
        message: '',
        assertionResults: [{ fullName: 'holds', status: 'passed', failureMessages: null }],
      },
    ],
  });
  expect(told).toEqual([
    'e2e/doctor.test.ts: a doctor is approved\n    Error: no button 通过\n        at e2e/doctor.test.ts:12:3',
    'src/broken.test.ts: could not be run\n    SyntaxError: Unexpected token',
  ]);
});
