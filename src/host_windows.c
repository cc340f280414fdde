/*
 * host_windows.c - finds the functions of Node in the program that runs,
 * whatever its name is: node.exe, electron.exe, one of somebody's own. The
 * linker has put off binding those of "node.exe" to their first use, and asks
 * here first. For binaries made by scripts/prebuild.js: node-gyp brings a file
 * of its own for this.
 */
#include <windows.h>

#include <delayimp.h>

static FARPROC WINAPI find(unsigned event, PDelayLoadInfo info) {
  if (event != dliNotePreLoadLibrary) return NULL;
  if (lstrcmpiA(info->szDll, "node.exe") != 0) return NULL;
  return (FARPROC) (void *) GetModuleHandleA(NULL);
}

PfnDliHook __pfnDliNotifyHook2 = find;
