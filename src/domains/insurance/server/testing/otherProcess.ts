import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { adjudicateCore } from '../../contract/adjudication/adjudicate.ts';
import { adjudicationInput } from '../../contract/adjudication/input.ts';
import { controlSpec, versionSpec } from '../../contract/adjudication/spec.ts';

// Adjudicates the claims that it reads and writes the digest of what came out: that another process comes to the same bytes.
const claims = z
  .array(z.strictObject({ spec: versionSpec, input: adjudicationInput, controls: z.array(controlSpec) }))
  .parse(JSON.parse(readFileSync(0, 'utf8')));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const results = claims.map(({ spec, controls, input }) => JSON.stringify(adjudicateCore(spec, controls, input, sha256)));
process.stdout.write(sha256(results.join('\n')));
