#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tune::script {

/// A file that the trial sees in place of another one, which stays as it is.
struct StandIn {
  std::filesystem::path file, text;  ///< absolute
};

/// Folders that a trial may write to without harm: what it changes in them goes to a place of its
/// own, and is gone with the trial.
struct Shield {
  std::vector<std::filesystem::path> folders;  ///< absolute; none: nothing is shielded
  /// Below them, and left as it is: where the trial itself keeps what it finds out.
  std::filesystem::path kept;
  std::vector<StandIn> stand_ins;

  bool exists() const { return !folders.empty() || !stand_ins.empty(); }
};

/// Where what shielded trials write goes; gone with the object. What trials left that were killed
/// is removed by the next one.
class ShieldSpace {
 public:
  explicit ShieldSpace(const Shield& shield);
  ~ShieldSpace() { remove(); }
  ShieldSpace(const ShieldSpace&) = delete;
  ShieldSpace& operator=(const ShieldSpace&) = delete;

  /// Places to try in turn: on a disk, then in memory; none within a shielded folder.
  const std::vector<std::filesystem::path>& places() const { return places_; }

  void remove();  ///< for a process that ends before the object does

 private:
  std::vector<std::filesystem::path> places_;
};

/// Gives this process, and all that it starts, a view of the file system in which the folders are
/// covered by overlays, and files by their substitutes: as root, or as a plain user in a
/// name space of his own where the kernel allows it (5.11 and newer; Docker's default does not). To
/// be called in a process with one thread that will enter its working folder afterwards. "" when it
/// worked, else what was not allowed: "unshare: Operation not permitted".
std::string raise_shield(const Shield& shield, const std::vector<std::filesystem::path>& places);

/// "TUNE_SHIELD=4026532573", the number of the view that this process has now, by which the agent
/// knows whether it runs in it; without a shield "TUNE_SHIELD=".
std::string shield_variable(const Shield& shield);

/// What raise_shield() returns in a process of its own, which ends at once.
std::string obstacle_of(const Shield& shield);

}  // namespace tune::script
