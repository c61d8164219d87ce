import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import type { Kernel } from '#kernel/server/kernel.ts';
import { makeUserSig } from '../im/accounts/userSign.ts';
import { vendorOf, type TencentConfig } from './mode.ts';

const ANSWER_MS = 8_000;
const TRIES = 3;
const PAUSE_MS = 200;
const SIGN_SECONDS = 86_400;
const UINT32 = 4_294_967_296;
/** System fault, timeouts, too many calls, fault of the storage: the same call may go well a moment later. */
const PASSING = new Set([
  10_002, 10_023, 20_002, 20_004, 20_005, 40_006, 60_004, 60_005, 60_006, 60_007, 60_008, 60_014, 70_169, 70_202, 70_401, 70_500, 90_994,
  90_995, 91_000,
]);

/** The vendor refused a call. */
export class VendorError extends Error {
  readonly code: number;

  constructor(code: number, info: string) {
    super(`the chat vendor answers ${code}: ${info}`);
    this.name = 'VendorError';
    this.code = code;
  }
}

const answer = z.looseObject({ ErrorCode: z.int(), ErrorInfo: z.optional(z.string()) });

interface State {
  sign: string;
  signedAt: number;
  wasDown: boolean;
  onReturn: (() => void) | null;
}
const states = new WeakMap<Kernel, State>();
const stateOf = (kernel: Kernel): State => {
  const known = states.get(kernel) ?? { sign: '', signedAt: 0, wasDown: false, onReturn: null };
  states.set(kernel, known);
  return known;
};

/** Called once when the vendor answers again after he could not be reached. */
export const onVendorReturn = (kernel: Kernel, work: () => void): void => {
  stateOf(kernel).onReturn = work;
};

function signOf(kernel: Kernel, vendor: TencentConfig, state: State): string {
  const now = Math.floor(Date.parse(kernel.clock.now()) / 1000);
  if (state.sign === '' || now - state.signedAt > SIGN_SECONDS / 2 || now < state.signedAt) {
    state.sign = makeUserSig({ userID: vendor.admin, sdkAppID: vendor.sdkAppId, time: now, expire: SIGN_SECONDS }, vendor.secretKey);
    state.signedAt = now;
  }
  return state.sign;
}

async function once(kernel: Kernel, vendor: TencentConfig, path: string, body: object): Promise<z.output<typeof answer>> {
  const query = new URLSearchParams({
    sdkappid: String(vendor.sdkAppId),
    identifier: vendor.admin,
    usersig: signOf(kernel, vendor, stateOf(kernel)),
    random: String(randomInt(UINT32)),
    contenttype: 'json',
  });
  const response = await fetch(`${vendor.url}/v4/${path}?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (!response.ok) throw new Error(`the chat vendor answers HTTP ${response.status}`);
  return answer.parse(await response.json());
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One call of the vendor's server interface, tried again where the fault passes; every call that this product makes may be repeated.
 * @throws VendorError where he refuses, any other error where he cannot be reached.
 */
export async function callVendor<S extends z.ZodMiniType>(kernel: Kernel, path: string, body: object, schema: S): Promise<z.output<S>> {
  const vendor = vendorOf(kernel);
  if (!vendor) throw new Error('the chat vendor is not configured');
  const state = stateOf(kernel);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await once(kernel, vendor, path, body);
      if (state.wasDown) {
        state.wasDown = false;
        state.onReturn?.();
      }
      if (response.ErrorCode !== 0) throw new VendorError(response.ErrorCode, response.ErrorInfo ?? '');
      return schema.parse(response);
    } catch (error) {
      const refused = error instanceof VendorError;
      if (!refused) state.wasDown = true;
      if (attempt === TRIES || (refused && !PASSING.has(error.code)) || error instanceof z.core.$ZodError) throw error;
      await pause(PAUSE_MS * 2 ** attempt);
    }
  }
}

export const nothing = z.looseObject({});
