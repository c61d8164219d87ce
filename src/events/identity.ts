import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

/** On every change of a staff user, its state included. */
export const userChanged = event(
  'identity.user.changed',
  z.strictObject({ userId: z.string(), opNo: z.string(), displayName: z.string(), state: z.string() }),
);
export const userDisabled = event('identity.user.disabled', z.strictObject({ userId: z.string() }));
export const userLeft = event('identity.user.left', z.strictObject({ userId: z.string(), openWorkConfirmed: z.boolean() }));
export const sessionEnded = event(
  'identity.session.ended',
  z.strictObject({ userId: z.string(), sessionId: z.string(), reason: z.string() }),
);
export const roleChanged = event(
  'identity.role.changed',
  z.strictObject({ roleId: z.string(), version: z.number(), userIds: z.array(z.string()) }),
);
export const noticePublished = event(
  'identity.notice.published',
  z.strictObject({
    noticeId: z.string(),
    audience: z.strictObject({
      all: z.optional(z.boolean()),
      roleCodes: z.optional(z.array(z.string())),
      userIds: z.optional(z.array(z.string())),
      permission: z.optional(z.string()),
    }),
  }),
);

/** What was planned by workdays of this time is planned anew. */
export const workCalendarChanged = event('identity.workCalendar.changed', z.strictObject({ from: z.string(), to: z.string() }));

export const identityEvents = [
  userChanged,
  userDisabled,
  userLeft,
  sessionEnded,
  roleChanged,
  noticePublished,
  workCalendarChanged,
] as const;
