import type { Kernel } from '#kernel/server/kernel.ts';
import type { CheckResult, IdType, MinMethod } from '../../contract/dictionaries.ts';

export interface Question {
  /** The same question again must not be charged twice. */
  requestId: string;
  method: MinMethod;
  name: string;
  idType: IdType;
  idNo: string;
  mobile: string | null;
}

export interface ProviderAnswer {
  result: CheckResult;
  ref: string | null;
}

/** Whoever compares a name with an identity number. Never throws: a failure is the answer ERROR. */
export interface RealNameProvider {
  ask(question: Question, signal: AbortSignal): Promise<ProviderAnswer>;
}

/** Sequence digits of made-up identity numbers for which the simulator answers otherwise. */
const SCRIPT: Readonly<Record<string, ProviderAnswer['result']>> = { '996': 'MISMATCH', '997': 'NOT_FOUND', '998': 'ERROR' };
/** Names with a dot are often written otherwise in the register. */
const DOT = /[·•]/;

/** Stands in where no provider is configured, never in production: everybody is who he says, but for the scripted cases. */
const simulator: RealNameProvider = {
  ask: ({ requestId, name, idNo }) =>
    Promise.resolve({ result: SCRIPT[idNo.slice(14, 17)] ?? (DOT.test(name) ? 'MISMATCH' : 'PASS'), ref: `SIM${requestId}` }),
};

const nobody: RealNameProvider = { ask: () => Promise.resolve({ result: 'ERROR', ref: null }) };

const RESULTS = ['PASS', 'MISMATCH', 'NOT_FOUND'] as const;

/** A provider over HTTP: `{method, name, idType, idNo, mobile}` to `{result, ref}`. */
const httpProvider = ({ url, key }: { url: string; key: string }): RealNameProvider => ({
  async ask({ requestId, ...body }, signal) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'idempotency-key': `realname-${requestId}` },
        body: JSON.stringify(body),
        signal,
      });
      if (!response.ok) return { result: 'ERROR', ref: null };
      const answer = (await response.json()) as { result?: unknown; ref?: unknown };
      const result = RESULTS.find((one) => one === answer.result);
      return { result: result ?? 'ERROR', ref: typeof answer.ref === 'string' ? answer.ref.slice(0, 100) : null };
    } catch {
      return { result: 'ERROR', ref: null };
    }
  },
});

export function providerOf(kernel: Kernel): RealNameProvider {
  if (kernel.config.realName) return httpProvider(kernel.config.realName);
  return kernel.config.mode === 'production' ? nobody : simulator;
}
