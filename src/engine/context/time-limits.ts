import { day, hour, minute } from '../../core/text/words.ts';

/** Time limits of the engine that people notice. */

/** A request that needs one confirmation expires after this time. */
export const confirmWithinMs = 15 * minute;
/** A request that needs approvals expires after this time. */
export const approveWithinMs = day;
/** Approvers can be reminded once in this time. */
export const remindEveryMs = 10 * minute;
/**
 * The most by which memberships and rights may be out of date when a vote counts or a step starts. Slack sends a change
 * to one replica only, so all replicas read them again; requests at the same moment share the read.
 */
export const freshMs = 10_000;

/**
 * A decided request that could not start within this time needs "Continue". Longer than `staleAfterMs`, so a request
 * that a crash interrupted does not need it.
 */
export const beginWithinMs = 15 * minute;
/** A scheduled request that cannot begin within this time after its hour needs "Continue", unless its rule says more. */
export const graceMs = 10 * minute;
/** A scheduled request whose facts or votes changed until its hour is asked about for this time. */
export const answerWithinMs = hour;
/** A scheduled request that waits for the end of a freeze ends after this time. */
export const frozenWithinMs = day;
/** A turn of a scheduled request draws its card again this long after the request was scheduled, and not later. */
export const drawnWithinMs = 60 * minute;
/** A handover names what is scheduled within this time. */
export const nextShiftMs = 12 * hour;
/** A scheduled request checks this often whether a freeze was ended early. */
export const frozenAgainMs = minute;
/** A standing approval ends at most this long after it was requested. */
export const standsAtMostMs = 90 * day;
/** The most runs of a standing approval, more than one a day until its end. */
export const mostRuns = 100;
/** After this many failed runs in a row, a standing approval ends. */
export const mostFailedRuns = 3;

/** A request that needs "Continue" ends after this time. */
export const heldWithinMs = day;
/** A request whose check failed for now is checked again after this time. */
export const laterMs = 10_000;

/** An interrupted request received longer ago than this is not resumed. The bot notifies the requester instead. */
export const staleAfterMs = 10 * minute;
/** The reply about an end as done mentions no requester who clicked last within this time. */
export const stillLooksMs = 30_000;
/** A new server's webhook may report this long after its order was sent. */
export const reportWithinMs = day;

/** A change of DNS records is followed at the name servers for this time. */
export const followForMs = 10 * minute;

/** The alert rule `answers` tries all services of a server this often; in between only those that answered. */
export const learnAnswersEveryMs = day;

/** A secret can be shown once within this time. */
export const secretLivesMs = 10 * minute;
/** A form that is submitted later than this does nothing. */
export const formLivesMs = hour;
/** The content of a late form is kept for this time. */
export const formKeptForMs = day;
/** Home is redrawn for this time after a person opened it. Slack sends no event when the person leaves it. */
export const homeOpenForMs = 15 * minute;

/** The bot reminds of a broken glass that is not closed after these times, and afterwards once in `remindGlassEveryMs`. */
export const glassRemindersMs = [1, 3, 7, 15].map((hours) => hours * hour);
export const remindGlassEveryMs = day;

/** A request for access expires after this time. */
export const accessOpenForMs = 14 * day;
/** An answered request for access is removed after this time. */
export const accessKeptForMs = 7 * day;

/** A person stays on an alert for this time where the channel sets no other. */
export const acknowledgeMs = day;
/** The longest time for which a person can stay on an alert. */
export const longestAcknowledgeMs = 30 * day;

/** An event that could not be posted for this time is given up; an older one is not made. */
export const eventLivesMs = day;

/** A digest that cannot be posted within this time after its hour is left out. */
export const digestLateMs = 3 * hour;
