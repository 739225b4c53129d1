/** Where everything of ours is on the machine. */
export const VM_DIRECTORY = "/content/.veriroute";
/** `NAME=value` a line; the launcher removes it once read. */
export const VM_SECRETS_FILE = "/content/.veriroute.env";
