/** All that other domains may use of doctor on the server. */
export {
  getDoctorForChat,
  getDoctors,
  practiceOkOf,
  searchDoctors,
  type DoctorBrief,
  type DoctorForChat,
  type DoctorWish,
} from './doctors/record/read.ts';
export { factsFor } from './doctors/record/facts.ts';
export { registerMeetings } from './doctors/record/forChat.ts';
export { searchOpenings } from './openings/search.ts';
export { liveOpeningsOf, type LiveOpening } from './openings/onDoctorChanged.ts';
export { getServiceItem } from './items/read.ts';
export { activeServiceConfig } from './config/active.ts';
export { bindsOf, inDutyWeek, type BindBrief } from './assistants/choose.ts';
export { changeAssistantState } from './assistants/state.ts';
export { liveAttributionOf, type LiveAttribution } from './attribution/attribute.ts';
export { createConsultOrder, createdAnswer } from './orders/create.ts';
export { advanceConsultOrder } from './orders/advance.ts';
export { orderStatesOf, type OrderStateBrief } from './orders/access.ts';
export { takePayment as notifyConsultPay } from './orders/pay.ts';
export { getAssistantByStaffUser, staffUsersOf, type AssistantBrief } from './services.ts';
export { openingBrief, type OpeningBrief } from './openings/search.ts';
export { doctorMobileEndsWith, textDoctor } from './doctors/entry/person.ts';
export { realNameFloor } from './items/read.ts';
export { routableDoctors, type RoutableDoctor } from './openings/search.ts';
