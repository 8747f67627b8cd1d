import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Sources that do in the place that they are told what is not saving a file.
@Suite("Sources that save what is no file", .requiresXvfb, .timeLimit(.minutes(3)))
struct HostileSourceTests {
  /// What was saved is of no use; it takes half a minute until that is certain, for sources write after they have said S.
  enum Trick: String, CaseIterable, Sendable {
    case nothing, link, danglingLink, pipe, elsewhere

    func play(_ path: String, _ stage: HostileStage) -> Bool {
      switch self {
      case .nothing: true
      case .link: symlink(stage.outside("canary"), path) == 0
      case .danglingLink: symlink(stage.outside("outside/new"), path) == 0
      case .pipe: mkfifo(path, 0o600) == 0
      case .elsewhere: Saving.write("written by the source", to: stage.outside("stray"))
      }
    }
  }

  @Test(arguments: Trick.allCases)
  func `a source says S, and has made no file`(_ trick: Trick) async throws {
    let outcome = try await HostileStage.drop(makesItself: trick == .elsewhere ? ["", "stray"] : []) { source, stage in
      source.promise(Array("x".utf8))
      source.save = { trick.play($0, stage) ? "S" : nil }
    }
    #expect(outcome.changes == [])
    #expect(outcome.saved == [:])
    #expect(outcome.exit == .exited(6))
    // It says that all is well, and is not held up any longer; only the probe's user can be told.
    #expect(outcome.isAccepted == true)
    #expect(outcome.events == ["dropped", "failed", "ended"])
    #expect(outcome.failure == "the source says that its file is saved, but it is not there")
  }

  @Test func `links and pipes beside a file are left behind`() async throws {
    let outcome = try await HostileStage.drop { source, stage in
      source.promise(Array("x".utf8))
      source.save = {
        let place = Saving.parent(of: $0)
        guard symlink(stage.outside("canary"), place + "a") == 0, mkfifo(place + "b", 0o600) == 0,
          symlink(stage.outside("outside"), place + "c") == 0
        else { return nil }
        return Saving.write("saved", to: $0) ? "S" : nil
      }
    }
    #expect(outcome.changes == [])
    #expect(outcome.saved == ["x": "saved"])
    #expect(outcome.exit == .exited(0))
    #expect(outcome.isAccepted == true)
  }

  @Test func `a directory comes without the links and pipes in it`() async throws {
    let outcome = try await HostileStage.drop { source, stage in
      source.promise(Array("folder".utf8))
      source.save = {
        guard mkdir($0, 0o755) == 0, mkdir($0 + "/sub", 0o755) == 0, Saving.write("saved", to: $0 + "/sub/file"),
          symlink(stage.outside("outside"), $0 + "/out") == 0, symlink("../../..", $0 + "/sub/up") == 0,
          mkfifo($0 + "/sub/pipe", 0o600) == 0
        else { return nil }
        return "S"
      }
    }
    #expect(outcome.changes == [])
    #expect(outcome.saved == ["folder 2": "", "folder 2/sub": "", "folder 2/sub/file": "saved"])
    #expect(outcome.exit == .exited(0))
  }

  /// What it leads to is a file like others; who can make such a link can read it, and nothing is written to it.
  @Test func `a hard link to a file outside is a file, and that is as it was`() async throws {
    let outcome = try await HostileStage.drop { source, stage in
      source.promise(Array("x".utf8))
      source.save = { link(stage.outside("canary"), $0) == 0 ? "S" : nil }
    }
    #expect(outcome.changes == [])
    #expect(outcome.saved == ["x": "untouched canary"])
    #expect(outcome.exit == .exited(0))
  }

  @Test func `what a source saves is data: no permission of its own comes along`() async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.promise(Array("x.desktop".utf8))
      source.save = {
        let place = Saving.parent(of: $0)
        guard Saving.write("[Desktop Entry]", to: $0), chmod($0, 0o6777) == 0,
          Saving.write("secret", to: place + "closed"), chmod(place + "closed", 0o000) == 0,
          mkdir(place + "folder", 0o700) == 0, Saving.write("#!/bin/sh", to: place + "folder/program"),
          chmod(place + "folder/program", 0o4755) == 0, link(place + "folder/program", place + "folder/twin") == 0,
          chmod(place + "folder", 0o7777) == 0
        else { return nil }
        return "S"
      }
    }
    let mask = try CreationMask.current()
    #expect(outcome.exit == .exited(0))
    #expect(outcome.isAccepted == true)
    let (file, folder) = (0o666 & ~mask, 0o777 & ~mask)
    #expect(
      outcome.modes == [
        "x.desktop": file, "closed": file, "folder 2": folder, "folder 2/program": file, "folder 2/twin": file,
      ])
    #expect(outcome.changes == [])
  }

  /// To take its permissions away would change the file outside; to leave them would make a program of what was dropped.
  @Test func `a hard link to a program outside is not taken`() async throws {
    let outcome = try await HostileStage.drop { source, stage in
      _ = chmod(stage.outside("canary"), 0o755)
      source.promise(Array("x".utf8))
      source.save = { link(stage.outside("canary"), $0) == 0 ? "S" : nil }
    }
    // Its permissions are those that the source has given it.
    #expect(outcome.changes == ["canary"])
    #expect(outcome.saved == [:])
    #expect(outcome.exit == .exited(6))
    #expect(outcome.isAccepted == false)
  }

  @Test func `a source that puts a link in the place of the directory saves in the old one`() async throws {
    let outcome = try await HostileStage.drop { source, stage in
      source.promise(Array("x".utf8))
      source.save = { path in
        let moved = stage.outside("moved")
        guard rename(stage.directory, moved) == 0, symlink(stage.outside("outside"), stage.directory) == 0 else {
          return nil
        }
        return Saving.write("saved", to: moved + path.dropFirst(stage.directory.utf8.count)) ? "S" : nil
      }
    }
    // Nothing has changed where the link leads: all that is new is the old directory under its new name.
    #expect(outcome.changes.filter { $0.hasPrefix("outside") || ["canary", "x", "pipe"].contains($0) } == [])
    #expect(outcome.changes.contains("moved/x"))
    #expect(outcome.changes.filter { $0.contains(".xdnd-") } == [])
    #expect(outcome.exit == .exited(0))
    #expect(outcome.isAccepted == true)
  }
}
