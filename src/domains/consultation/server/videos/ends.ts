/** How a call ends: spoken and hung up, not taken, refused, given up by its caller, broken. */
export type RoomEnd = 'end' | 'miss' | 'reject' | 'cancel' | 'fail';
