import type { Acting } from '../system.ts';

/** Says which channel brought a doctor, at registration (R9). */
export async function attributeDoctor(_ctx: Acting, _wish: { doctorId: string; scanToken?: string; staff?: { channelId: string } }): Promise<void> {}
