import type { Kernel } from '../kernel/server/kernel.ts';
export interface TestStaff { token: string; userId: string; opNo: string; userName: string; userRoleId: string | null }
export interface StaffWish { role?: string; permissions?: readonly string[] }
export async function createStaff(_kernel: Kernel, _wish: StaffWish): Promise<TestStaff> { throw new Error('identity stands not yet'); }
